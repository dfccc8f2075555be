import type { Caller } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Text } from '#platform/language.ts'
import * as samples from '#platform/samples/queries.ts'
import type { SampleRemoval } from '#platform/samples/sample.ts'
import { type Sql, sql } from '#platform/sql.ts'
import { removeEvent } from './events/event.ts'
import * as events from './events/queries.ts'
import { removeLinked } from './linked/linked.ts'
import { removeImage } from './media/media.ts'
import { linkedOrganizers } from './organizers/organizer.ts'
import { siteAt, type Work } from './tec.ts'
import { deleteTerm } from './terms/term.ts'
import { linkedVenues } from './venues/venue.ts'
import { viewerOf } from './viewer.ts'

interface Kind {
  kind: string
  /** Waits for whoever is editing it; false if it is gone. */
  lock(tx: Database, id: number): Promise<boolean>
  remove(work: Work, id: number): Promise<unknown>
  /** Names it if something else uses it. */
  findUsed(tx: Database, id: number): Promise<string | undefined>
}

/** Events first: what only sample events used is free then. */
const kinds: Kind[] = [
  {
    kind: 'event',
    lock: async (tx, id) => (await events.lock(tx, id)) !== undefined,
    remove: async (work, id) => await removeEvent(work.db, work, id, undefined),
    findUsed: async () => undefined
  },
  {
    kind: 'venue',
    lock: lockIn(sql`calendar.venues`),
    remove: async (work, id) => await removeLinked(work, linkedVenues, { id }),
    findUsed: findUsedBy(
      sql`select name from calendar.venue_texts where venue_id =`,
      sql`select from calendar.event_venues where venue_id =`
    )
  },
  {
    kind: 'organizer',
    lock: lockIn(sql`calendar.organizers`),
    remove: async (work, id) => await removeLinked(work, linkedOrganizers, { id }),
    findUsed: findUsedBy(
      sql`select name from calendar.organizer_texts where organizer_id =`,
      sql`select from calendar.event_organizers where organizer_id =`
    )
  },
  termKind('category'),
  termKind('tag'),
  {
    kind: 'image',
    lock: lockIn(sql`calendar.media`),
    remove: removeImage,
    findUsed: findUsedBy(
      sql`select name from calendar.media where id =`,
      sql`select from calendar.events where image_id =`,
      sql`select from calendar.venues where image_id =`,
      sql`select from calendar.organizers where image_id =`
    )
  }
]

/** Removes the sample events with all that belongs to them, but for what somebody's own content uses: that becomes theirs. */
export async function removeCalendarSamples(db: Database, by: Caller, settings: Settings): Promise<SampleRemoval> {
  const removed: SampleRemoval['removed'] = []
  const kept: SampleRemoval['kept'] = []
  for (const { kind, lock, remove, findUsed } of kinds) {
    for (const id of await samples.listIds(db, kind)) {
      await db.transaction(async tx => {
        const exists = await lock(tx, Number(id))
        // Somebody may have edited it since the list was read, which made it theirs.
        if ((await samples.listAmong(tx, [{ kind, id }])).length === 0) return
        const name = exists ? await findUsed(tx, Number(id)) : undefined
        if (name !== undefined) kept.push({ kind, id, name, reason: isUsed })
        else if (exists) {
          await remove(workBy(tx, by, settings), Number(id))
          removed.push({ kind, id })
        }
        await samples.remove(tx, kind, [id])
      })
    }
  }
  return { removed, kept }
}

const isUsed: Text = {
  en: 'Your own content uses it. It is no longer marked as sample content.',
  de: 'Ihre eigenen Inhalte verwenden das. Es gilt nicht mehr als Beispiel.'
}

function termKind(taxonomy: 'category' | 'tag'): Kind {
  return {
    kind: taxonomy,
    lock: lockIn(sql`calendar.terms`),
    remove: async (work, id) => await deleteTerm(work, taxonomy, id, undefined),
    findUsed: findUsedBy(
      sql`select name from calendar.term_texts where term_id =`,
      sql`select from calendar.event_terms where term_id =`,
      sql`select from calendar.terms where parent_id =`
    )
  }
}

function lockIn(table: Sql): Kind['lock'] {
  return async (tx, id) => (await tx.maybeOne(sql`select id from ${table} where id = ${id} for update`)) !== undefined
}

function findUsedBy(names: Sql, ...uses: Sql[]): Kind['findUsed'] {
  return async (tx, id) => {
    for (const use of uses) {
      const { found } = await tx.one<{ found: boolean }>(sql`select exists (${use} ${id}) as found`)
      if (!found) continue
      return (await tx.maybeOne<{ name: string }>(sql`${names} ${id} limit 1`))?.name ?? String(id)
    }
    return undefined
  }
}

function workBy(db: Database, caller: Caller, settings: Settings): Work {
  const language = settings.defaultLanguage
  return {
    ...{ db, caller, language, chosenLanguage: language, undo: [] },
    now: new Date(),
    zone: settings.timezone,
    site: siteAt('', settings),
    viewer: viewerOf(caller)
  }
}
