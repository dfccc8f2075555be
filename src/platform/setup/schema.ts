import { type Static, Type } from 'typebox'
import { NewUser } from '../auth/users/schema.ts'
import { SiteChanges } from '../site/schema.ts'

export const SetupState = Type.Object({
  needed: Type.Boolean({ description: 'Whether setup is open: no user account was ever created.' })
})
export type SetupState = Static<typeof SetupState>

const { name, email, password, language } = NewUser.properties

export const Setup = Type.Object({
  site: Type.Optional(SiteChanges),
  user: Type.Object({ name, email, password, language })
})
export type Setup = Static<typeof Setup>

export const SampleContent = Type.Object({
  made: Type.Integer({ description: 'Number of campaigns and events created.' })
})
export type SampleContent = Static<typeof SampleContent>
