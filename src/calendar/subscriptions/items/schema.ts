/** What happens with events that are no longer at the source. */
export const goneActions = ['keep', 'cancel', 'trash'] as const
export type GoneAction = (typeof goneActions)[number]

/** By field: hashes of what the source had, and of what was here, when the field was written last. */
export type FieldBase = Record<string, [theirs: string, here: string]>

/** By field: the value of the source that was not written, as the API takes it, and its hash. */
export type FieldConflicts = Record<string, { hash: string; value: unknown }>

export interface SubscriptionItem {
  sourceId: string
  eventId: number
  base: FieldBase
  conflicts: FieldConflicts | null
  goneAt: string | null
  goneAction: GoneAction | null
  goneStatus: string | null
}
