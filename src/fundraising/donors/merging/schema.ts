import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { ListedDonor } from '../listing/schema.ts'

const Instant = Type.String({ format: 'date-time' })
const Uuid = Type.String({ format: 'uuid' })

export const duplicateReasons = ['email', 'iban', 'name'] as const

export const Duplicate = NamedObject('Duplicate', {
  donor: ListedDonor,
  other: ListedDonor,
  reasons: Type.Array(Type.Enum([...duplicateReasons]), {
    description: 'What the two have in common: the email address, the IBAN, or the name.'
  })
})
export type Duplicate = Static<typeof Duplicate>

export const Merge = NamedObject('Merge', {
  id: Uuid,
  mergedId: Type.String({ format: 'uuid', description: 'Donor that was merged into the other one.' }),
  targetId: Type.String({ format: 'uuid', description: 'Donor that it was merged into.' }),
  at: Instant,
  actor: Type.String(),
  undoneAt: Nullable(Instant, { description: 'When the merge was undone.' })
})
export type Merge = Static<typeof Merge>

export const OtherDonor = NamedObject('OtherDonor', {
  donorId: Type.String({ uuid: 'donor', maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
})
export type OtherDonor = Static<typeof OtherDonor>
