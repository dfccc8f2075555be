import { newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import * as site from '#platform/site/queries.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { buildSite } from '../contract/routing/site.ts'
import { removeEvent } from '../events/event.ts'
import * as events from '../events/queries.ts'
import { listTrashedInline } from '../linked-posts/inline-queries.ts'
import { removeLinkedPost } from '../linked-posts/linked-post.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { toViewer } from '../permissions/permissions.ts'
import { venuePostType } from '../venues/venue.ts'
import * as suggestions from './queries.ts'
import * as retention from './retention-queries.ts'
import { confirmWithinMs } from './suggest.ts'

const dayMs = 86_400_000
/** Suggestions deleted by one run; the next hour continues. */
const batchSize = 200

/**
 * Deletes suggestions that were never confirmed. Some time after the decision, erases the senders of accepted
 * suggestions, and deletes declined ones with their events in the trash.
 */
export async function deleteOldSuggestions(db: Database, settings: Settings, now: Date): Promise<void> {
  await retention.deleteUnconfirmed(db, new Date(now.getTime() - confirmWithinMs))
  const { suggestionRetentionDays } = await site.find(db)
  const before = new Date(now.getTime() - suggestionRetentionDays * dayMs)
  await retention.eraseSendersDecidedBefore(db, before)
  for (const { id, trashedEventId } of await retention.listDeclinedBefore(db, before, batchSize)) {
    await db.transaction(async tx => {
      const event = trashedEventId === null ? undefined : await events.lock(tx, trashedEventId)
      // An editor may have restored the event since it was listed.
      if ((await suggestions.lock(tx, id))?.state !== 'declined') return
      if (event?.status === 'trash') await removeTrashedEvent(newRetentionContext(tx, settings, now), event.id)
      await retention.remove(tx, id)
    })
  }
}

/** Deletes the event, and the venue and organizer that were made for it and were never public. */
async function removeTrashedEvent(context: WriteContext, eventId: number): Promise<void> {
  const { db } = context
  const venues = await listTrashedInline(db, venuePostType, eventId)
  const organizers = await listTrashedInline(db, organizerPostType, eventId)
  await removeEvent(db, context, eventId, undefined)
  for (const id of venues) await removeLinkedPost(context, venuePostType, { id })
  for (const id of organizers) await removeLinkedPost(context, organizerPostType, { id })
}

function newRetentionContext(db: Database, settings: Settings, now: Date): WriteContext {
  const caller = newSystemCaller('retention')
  const language = settings.defaultLanguage
  return {
    ...{ db, now, caller, language, requestedLanguage: language, rollbacks: [] },
    zone: settings.timezone,
    site: buildSite(settings.publicUrl ?? '', settings),
    viewer: toViewer(caller)
  }
}
