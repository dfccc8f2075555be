import * as samples from '#platform/activity/sample-queries.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { SampleRemoval } from '#platform/http/service.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { buildSite } from '../contract/routing/site.ts'
import { removeEvent } from '../events/event.ts'
import * as events from '../events/queries.ts'
import { removeLinkedPost } from '../linked-posts/linked-post.ts'
import { removeImage } from '../media/media.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { toViewer } from '../permissions/permissions.ts'
import { deleteTerm } from '../terms/term.ts'
import { venuePostType } from '../venues/venue.ts'

interface RemovableKind {
  kind: string
  /** Locks the row, waiting for concurrent edits; false if it was deleted. */
  lock(tx: Database, id: number): Promise<boolean>
  remove(work: WriteContext, id: number): Promise<unknown>
  /** Returns its name if other content uses it. */
  findUsed(tx: Database, id: number): Promise<string | undefined>
}

/** Events first: afterwards, items that only sample events used are unused. */
const removableKinds: RemovableKind[] = [
  {
    kind: 'event',
    lock: async (tx, id) => (await events.lock(tx, id)) !== undefined,
    remove: async (work, id) => await removeEvent(work.db, work, id, undefined),
    findUsed: async () => undefined
  },
  {
    kind: 'venue',
    lock: newRowLock(sql`calendar.venues`),
    remove: async (work, id) => await removeLinkedPost(work, venuePostType, { id }),
    findUsed: newUsageFinder(
      sql`select name from calendar.venue_texts where venue_id =`,
      sql`select from calendar.event_venues where venue_id =`
    )
  },
  {
    kind: 'organizer',
    lock: newRowLock(sql`calendar.organizers`),
    remove: async (work, id) => await removeLinkedPost(work, organizerPostType, { id }),
    findUsed: newUsageFinder(
      sql`select name from calendar.organizer_texts where organizer_id =`,
      sql`select from calendar.event_organizers where organizer_id =`
    )
  },
  newTermKind('category'),
  newTermKind('tag'),
  {
    kind: 'image',
    lock: newRowLock(sql`calendar.media`),
    remove: removeImage,
    findUsed: newUsageFinder(
      sql`select name from calendar.media where id =`,
      sql`select from calendar.events where image_id =`,
      sql`select from calendar.venues where image_id =`,
      sql`select from calendar.organizers where image_id =`
    )
  }
]

/** Deletes the sample content, except for items that the organisation's own content uses: those stay as its own. */
export async function removeCalendarSamples(db: Database, by: Caller, settings: Settings): Promise<SampleRemoval> {
  const removed: SampleRemoval['removed'] = []
  const kept: SampleRemoval['kept'] = []
  for (const { kind, lock, remove, findUsed } of removableKinds) {
    for (const id of await samples.listIds(db, kind)) {
      await db.transaction(async tx => {
        const exists = await lock(tx, Number(id))
        // An edit since the list was read turns the sample into own content.
        if ((await samples.listAmong(tx, [{ kind, id }])).length === 0) return
        const name = exists ? await findUsed(tx, Number(id)) : undefined
        if (name !== undefined) kept.push({ kind, id, name, reason: buildText('calendar-problems', 'sampleIsUsed') })
        else if (exists) {
          await remove(newWriteContext(tx, by, settings), Number(id))
          removed.push({ kind, id })
        }
        await samples.remove(tx, kind, [id])
      })
    }
  }
  return { removed, kept }
}

function newTermKind(taxonomy: 'category' | 'tag'): RemovableKind {
  return {
    kind: taxonomy,
    lock: newRowLock(sql`calendar.terms`),
    remove: async (work, id) => await deleteTerm(work, taxonomy, id, undefined),
    findUsed: newUsageFinder(
      sql`select name from calendar.term_texts where term_id =`,
      sql`select from calendar.event_terms where term_id =`,
      sql`select from calendar.terms where parent_id =`
    )
  }
}

function newRowLock(table: Sql): RemovableKind['lock'] {
  return async (tx, id) => (await tx.maybeOne(sql`select id from ${table} where id = ${id} for update`)) !== undefined
}

function newUsageFinder(names: Sql, ...uses: Sql[]): RemovableKind['findUsed'] {
  return async (tx, id) => {
    for (const use of uses) {
      const { found } = await tx.one<{ found: boolean }>(sql`select exists (${use} ${id}) as found`)
      if (!found) continue
      return (await tx.maybeOne<{ name: string }>(sql`${names} ${id} limit 1`))?.name ?? String(id)
    }
    return undefined
  }
}

function newWriteContext(db: Database, caller: Caller, settings: Settings): WriteContext {
  const language = settings.defaultLanguage
  return {
    ...{ db, caller, language, requestedLanguage: language, rollbacks: [] },
    now: new Date(),
    zone: settings.timezone,
    site: buildSite('', settings),
    viewer: toViewer(caller)
  }
}
