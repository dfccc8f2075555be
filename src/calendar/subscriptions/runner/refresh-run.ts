import { type Caller, newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Language, Text } from '#platform/language.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { buildSite } from '../../contract/routing/site.ts'
import type { ImageTarget } from '../../imports/runner/images.ts'
import type { ContextFactory } from '../../imports/runner/write-item.ts'
import type { Incoming } from '../../imports/sources/source.ts'
import { parseFileName, storeImage } from '../../media/media.ts'
import { renewLease } from '../lease-queries.ts'
import type { RowOutcome, Subscription, SubscriptionRow } from '../schema.ts'

/** The state of a run that writes. */
export interface RefreshRun {
  id: number
  owner: string
  subscription: Subscription
  origin: string
  /** The category of new events, if it still exists. */
  categoryId: number | null
  settings: Settings
  defaultLanguage: Language
  newContext: ContextFactory
  now: Date
}

/** Another process has taken over, or the subscription was deleted or paused: this runner stops. */
export class SubscriptionLeaseLost extends Error {}

/** Locks the subscription until the transaction ends. */
export async function requireLease(tx: Database, { subscription, owner }: RefreshRun): Promise<void> {
  if (!(await renewLease(tx, subscription.id, owner))) throw new SubscriptionLeaseLost()
}

/** In the activity log, a subscription acts in its own name. */
export function newSubscriptionCaller(id: number): Caller {
  return { ...newSystemCaller(`subscription ${id}`), role: 'editor' }
}

/** New events belong to the user who subscribed. */
export function newContextFactory(
  { id, authorId, timezone }: Pick<Subscription, 'id' | 'authorId' | 'timezone'>,
  settings: Settings,
  now: Date
): ContextFactory {
  const site = buildSite(settings.publicUrl ?? '', settings)
  const caller = newSubscriptionCaller(id)
  return (tx, language) => ({
    db: tx,
    now,
    zone: timezone,
    site,
    caller,
    viewer: { visibility: 'all', authorId },
    language,
    requestedLanguage: language,
    rollbacks: []
  })
}

/** A failed download is no row of the report: it is tried again when the calendar is read as a whole. */
export function toImageTarget(db: Database, run: RefreshRun): ImageTarget {
  return {
    ...run,
    reportFailure: async () => undefined,
    store: async (picture, { url, alt }) =>
      await storeImage(db, run.newContext(db, run.defaultLanguage), picture, {
        name: parseFileName(url),
        alt,
        source: url
      })
  }
}

const titleLengthMax = 200

export function buildRow(
  { kind, sourceId, texts }: Pick<Incoming, 'kind' | 'sourceId' | 'texts'>,
  outcome: RowOutcome,
  reasons: Text[],
  itemId: number | null
): Omit<SubscriptionRow, 'position'> {
  if (kind === 'series') throw new Error('Subscriptions read recurring entries as single events.')
  const { title = '' } = Object.values(texts)[0] ?? {}
  return {
    kind,
    sourceId,
    title: toSingleLineText(title).slice(0, titleLengthMax).toWellFormed(),
    outcome,
    reasons,
    itemId
  }
}
