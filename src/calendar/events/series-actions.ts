import type { Database } from '#platform/database/database.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import type { RecurrenceInput } from '../recurrence/input.ts'
import type { EventUpdate, WrittenEvent } from './event.ts'
import type { ApplyScope, EventChanges } from './schema.ts'

/** An update of some or all events of a series; null ends the repetition. */
export interface SeriesUpdate extends EventUpdate {
  recurrence: RecurrenceInput | null | undefined
  apply: ApplyScope
}

export interface SeriesRemoval {
  apply: ApplyScope
  /** Deletes permanently instead of moving to the trash. */
  force: boolean
  expected: IfMatch
}

/** Writes of the event routes that concern series. Passed in, because series are built on events. */
export interface SeriesActions {
  create(db: Database, context: WriteContext, values: EventChanges, recurrence: RecurrenceInput): Promise<WrittenEvent>
  update(db: Database, context: WriteContext, id: number, update: SeriesUpdate): Promise<WrittenEvent>
  remove(db: Database, context: WriteContext, id: number, removal: SeriesRemoval): Promise<void>
}
