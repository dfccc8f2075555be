import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Language } from '#platform/language.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import type { Site } from '../contract/routing/site.ts'
import { getAuthorId } from '../permissions/permissions.ts'
import * as terms from '../terms/queries.ts'
import { buildUrlKey, getSubscriptionName, isOwnAddress } from './address.ts'
import {
  newAlreadySubscribedProblem,
  newNothingToApplyProblem,
  newOwnAddressProblem,
  newPausedProblem,
  newSubscriptionNotFoundProblem,
  newTooManySubscriptionsProblem,
  newUnknownCategoryProblem
} from './problems.ts'
import * as subscriptions from './queries.ts'
import * as runs from './run-queries.ts'
import { getNextRun } from './schedule.ts'
import type { NewSubscription, Subscription, SubscriptionChanges } from './schema.ts'

/** The job that reads subscriptions; also scheduled every minute, for those that are due. */
export const subscriptionJob = 'run-subscriptions'

const subscriptionsMax = 500
/** How long reports are kept. */
const retentionDays = 30

/** The caller, time and site of the request. */
export interface SubscriptionContext {
  caller: Caller
  site: Site
  /** The language of texts that do not declare one. */
  language: Language
  now: Date
}

/** Subscribes to a calendar. A job reads it at once. */
export async function createSubscription(
  db: Database,
  context: SubscriptionContext,
  values: NewSubscription
): Promise<number> {
  const { caller, site, language, now } = context
  const url = values.url ?? ''
  requireForeignAddress(context, url)
  return await db.transaction(async tx => {
    await requireCategory(tx, context, values.category)
    await subscriptions.lockAll(tx)
    if ((await subscriptions.count(tx)) >= subscriptionsMax) throw newTooManySubscriptionsProblem(subscriptionsMax)
    const row = {
      url,
      urlKey: buildUrlKey(url),
      name: toSingleLineText(values.name ?? ''),
      everyMinutes: values.every ?? null,
      categoryId: values.category ?? null,
      gone: values.gone ?? 'keep',
      status: values.status ?? 'publish',
      language,
      timezone: values.timezone ?? site.settings.timezone,
      authorId: getAuthorId(caller),
      authorName: caller.name
    }
    const id = await subscriptions.insert(tx, row, now)
    if (id === undefined) throw newAlreadySubscribedProblem()
    const details = { name: getSubscriptionName({ ...row, feedName: null }) }
    await recordAction(tx, context, 'subscription.created', { id, details })
    await enqueue(tx, subscriptionJob, { key: subscriptionJob })
    return id
  })
}

/** Another address is read at once, and so is one that was paused. */
export async function updateSubscription(
  db: Database,
  context: SubscriptionContext,
  id: number,
  { changes, expected }: { changes: SubscriptionChanges; expected: IfMatch }
): Promise<void> {
  if (changes.url !== undefined) requireForeignAddress(context, changes.url)
  await db.transaction(async tx => {
    const before = await lockSubscription(tx, id, expected)
    await requireCategory(tx, context, changes.category)
    const urlKey = changes.url === undefined ? undefined : buildUrlKey(changes.url)
    if (urlKey !== undefined && (await subscriptions.isUrlTaken(tx, urlKey, id))) throw newAlreadySubscribedProblem()
    const columns = { ...toColumns(changes, before, context), ...(urlKey === undefined ? {} : { url_key: urlKey }) }
    await subscriptions.update(tx, id, columns, context.now)
    const details = { name: getSubscriptionName(before), changed: Object.keys(changes) }
    await recordAction(tx, context, 'subscription.updated', { id, details })
    if (columns.next_run_at != null) await enqueue(tx, subscriptionJob, { key: subscriptionJob })
  })
}

function toColumns(
  changes: SubscriptionChanges,
  before: Subscription,
  { site, now }: SubscriptionContext
): subscriptions.SubscriptionColumns {
  const isMoved = changes.url !== undefined && changes.url !== before.url
  const isPaused = changes.is_paused ?? before.isPaused
  const isResumed = before.isPaused && !isPaused
  // A new interval counts from the last run.
  const isRescheduled = changes.every !== undefined && before.nextRunAt !== null
  const fresh = { failures: 0, failing_since: null, problem: null, error: null }
  return {
    ...(changes.url === undefined ? {} : { url: changes.url }),
    // A run that reads the old address must not finish.
    ...(isMoved
      ? {
          ...fresh,
          leased_by: null,
          leased_until: null,
          source: null,
          etag: null,
          last_modified: null,
          content_hash: null
        }
      : {}),
    ...(changes.name === undefined ? {} : { name: toSingleLineText(changes.name) }),
    ...(changes.every === undefined ? {} : { every_minutes: changes.every }),
    ...(changes.category === undefined ? {} : { category_id: changes.category }),
    ...(changes.gone === undefined ? {} : { gone: changes.gone }),
    ...(changes.status === undefined ? {} : { status: changes.status }),
    ...(changes.timezone === undefined ? {} : { timezone: changes.timezone ?? site.settings.timezone }),
    ...(isResumed ? fresh : {}),
    ...(changes.is_paused == null ? {} : { is_paused: isPaused }),
    ...(isPaused
      ? { next_run_at: null }
      : isMoved || isResumed
        ? { next_run_at: now }
        : isRescheduled
          ? { next_run_at: getNextRun({ ...before, everyMinutes: changes.every ?? null }, toLastRun(before, now)) }
          : {})
  }
}

const toLastRun = ({ lastRunAt }: Subscription, now: Date) => (lastRunAt === null ? now : new Date(lastRunAt))

/** Its events stay, or a job moves them to the trash. */
export async function deleteSubscription(
  db: Database,
  context: SubscriptionContext,
  id: number,
  { events, expected }: { events: 'keep' | 'trash'; expected: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockSubscription(tx, id, expected)
    if (events === 'trash') {
      await subscriptions.setDeleted(tx, id, context.now)
      await enqueue(tx, subscriptionJob, { key: subscriptionJob })
    } else await subscriptions.remove(tx, id)
    const details = { name: getSubscriptionName(before), events }
    await recordAction(tx, context, 'subscription.deleted', { id, details })
  })
}

/** Reads it now. */
export async function refreshSubscription(
  db: Database,
  { now }: SubscriptionContext,
  id: number,
  expected: IfMatch
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockSubscription(tx, id, expected)
    if (before.isPaused) throw newPausedProblem()
    await subscriptions.update(tx, id, { next_run_at: now }, now)
    await enqueue(tx, subscriptionJob, { key: subscriptionJob })
  })
}

/** Applies a calendar that looked damaged, or whose ids have changed. */
export async function applySubscription(
  db: Database,
  context: SubscriptionContext,
  id: number,
  { how, expected }: { how: 'anyway' | 'match'; expected: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockSubscription(tx, id, expected)
    if (before.problem === null || before.problem === 'failing') throw newNothingToApplyProblem()
    if (before.isPaused) throw newPausedProblem()
    const approval = how === 'match' ? { matches_titles: true } : { is_approved: true }
    await subscriptions.update(tx, id, { ...approval, next_run_at: context.now }, context.now)
    const details = { name: getSubscriptionName(before), how }
    await recordAction(tx, context, 'subscription.approved', { id, details })
    await enqueue(tx, subscriptionJob, { key: subscriptionJob })
  })
}

/** Reports are useless after the retention period. */
export async function deleteOldRuns(db: Database, now: Date): Promise<void> {
  await runs.deleteOld(db, new Date(now.getTime() - retentionDays * 86_400_000))
}

async function lockSubscription(tx: Database, id: number, expected: IfMatch): Promise<Subscription> {
  const found = await subscriptions.lock(tx, id)
  if (found === undefined) throw newSubscriptionNotFoundProblem(id)
  requireVersion(expected, found.version)
  return found
}

async function recordAction(
  tx: Database,
  { caller, now }: SubscriptionContext,
  action: string,
  { id, details }: { id: number; details: object }
): Promise<void> {
  await record(tx, { by: caller, now }, action, { subject: 'subscription', id, details })
}

/** A calendar that subscribes to itself would have everything twice. */
function requireForeignAddress({ site }: SubscriptionContext, url: string): void {
  if (isOwnAddress(url, site.settings, site.origin)) throw newOwnAddressProblem()
}

async function requireCategory(
  tx: Database,
  { language }: SubscriptionContext,
  id: number | null | undefined
): Promise<void> {
  if (id == null) return
  const [found] = await terms.listByIds(tx, 'category', [id], { wanted: language, fallback: language })
  if (found === undefined) throw newUnknownCategoryProblem()
}
