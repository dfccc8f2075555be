import { type Static, Type } from 'typebox'
import { NewUser } from '../auth/users/schema.ts'
import { NamedObject } from '../http/named-object.ts'
import { SiteChanges } from '../site/schema.ts'

export const SetupState = NamedObject('SetupState', {
  needed: Type.Boolean({ description: 'Whether setup is open: no user account was ever created.' })
})
export type SetupState = Static<typeof SetupState>

const { name, email, password, language } = NewUser.properties

export const Setup = NamedObject('Setup', {
  site: Type.Optional(SiteChanges),
  user: Type.Object({ name, email, password, language })
})
export type Setup = Static<typeof Setup>

export const SampleContent = NamedObject('SampleContent', {
  made: Type.Integer({ description: 'Number of campaigns and events created.' })
})
export type SampleContent = Static<typeof SampleContent>
