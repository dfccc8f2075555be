import { type Static, Type } from 'typebox'
import { NewUser } from '../auth/users/schema.ts'
import { NamedObject } from '../http/named-object.ts'
import { SiteChanges } from '../site/schema.ts'

export const SetupState = NamedObject('SetupState', {
  needed: Type.Boolean({ description: 'Nobody has ever had an account here.' })
})
export type SetupState = Static<typeof SetupState>

const { name, email, password, language } = NewUser.properties

export const Setup = NamedObject('Setup', {
  site: Type.Optional(SiteChanges),
  user: Type.Object({ name, email, password, language })
})
export type Setup = Static<typeof Setup>

export const SampleContent = NamedObject('SampleContent', {
  made: Type.Integer({ description: 'Campaigns and events that were made.' })
})
export type SampleContent = Static<typeof SampleContent>
