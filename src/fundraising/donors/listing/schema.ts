import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { pageSizeMax } from '#platform/http/paging.ts'
import { languages } from '#platform/language.ts'
import { Address } from '../../money/address.ts'
import { buildAmountSchema } from '../../money/money.ts'

const Instant = Type.String({ format: 'date-time' })
const Day = Type.String({ format: 'date' })
const Uuid = Type.String({ format: 'uuid' })

const Choice = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

export const DonorParams = Type.Object({ donorId: Uuid })

export const donorSorts = ['lastDonation', 'name', 'received'] as const

export const DonorFilter = Type.Object({
  search: Type.Optional(
    Type.String({
      line: true,
      maxLength: 200,
      description:
        'Part of a name or of a reference, an email address, an amount (25, 25,00 or 25.00 EUR), or an IBAN or its last four characters. A donor is found if one of the donations is.'
    })
  ),
  donationId: Type.Optional(
    Type.String({
      line: true,
      uuid: true,
      maxLength: 100,
      description: 'Id of a donation: finds its donor.',
      examples: ['01900000-0000-7000-8000-000000000000']
    })
  )
})
export type DonorFilter = Static<typeof DonorFilter>

export const DonorListQuery = Type.Object({
  ...DonorFilter.properties,
  sort: Type.Optional(Choice(donorSorts, { default: 'lastDonation' })),
  order: Type.Optional(
    Choice(['asc', 'desc'], { description: 'Sort order; default: ascending for names, descending for the others.' })
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, default: 25, description: 'Number of items per page.' })
  )
})
export type DonorListQuery = Static<typeof DonorListQuery>

const Sums = Type.Array(Type.Object({ currency: Type.String(), received: buildAmountSchema('Amount received.') }), {
  description: 'Amount received, by currency.'
})

/** A donor in a list. */
export const ListedDonor = NamedObject('ListedDonor', {
  id: Uuid,
  name: Type.String({ description: 'Name in the newest donation.' }),
  email: Nullable(Type.String(), { description: 'Newest email address.' }),
  address: Nullable(Address, { description: 'Newest postal address.' }),
  language: Nullable(Choice(languages), { description: 'Language of the donor, if known.' }),
  donationCount: Type.Integer(),
  sums: Sums,
  firstDonationAt: Instant,
  lastDonationAt: Instant,
  lastReceivedOn: Nullable(Day, { description: 'Date of the newest payment.' })
})
export type ListedDonor = Static<typeof ListedDonor>
