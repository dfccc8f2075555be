import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'

/** No amount: donors agree to show their name, not how much they gave. */
export const ThankedDonor = NamedObject('ThankedDonor', { name: Type.String() })
export type ThankedDonor = Static<typeof ThankedDonor>
