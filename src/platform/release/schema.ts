import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'

export const Release = NamedObject('Release', {
  version: Type.String({ description: 'Version of the running program.' }),
  registry: Nullable(
    Type.String({
      description:
        'npm registry that is asked once a day for the newest release (UPDATE_REGISTRY); null: nothing is asked.'
    })
  ),
  newest: Nullable(Type.String({ description: 'Newest release at the last check.' })),
  checkedAt: Nullable(Type.String({ format: 'date-time' })),
  isUpdateAvailable: Type.Boolean({ description: 'Whether the newest release is newer than the running program.' })
})
export type Release = Static<typeof Release>
