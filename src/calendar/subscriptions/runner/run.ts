import { randomUUID } from 'node:crypto'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newImageFetchState } from '../../imports/runner/images.ts'
import * as terms from '../../terms/queries.ts'
import { getSubscriptionName } from '../address.ts'
import * as items from '../items/queries.ts'
import * as leases from '../lease-queries.ts'
import * as subscriptions from '../queries.ts'

import * as runs from '../run-queries.ts'
import { getNextAttempt, getNextRun } from '../schedule.ts'
import { noRunCounts, type RunCounts, type Subscription, type SubscriptionProblem } from '../schema.ts'
import { removeDeleted } from './delete-events.ts'
import { compareFeed, type FeedComparison } from './feed-check.ts'
import { type Feed, fetchFeed } from './fetch-feed.ts'
import { handleGoneEvents } from './gone.ts'
import { writeLinkedItems } from './linked-items.ts'
import { newContextFactory, newSubscriptionCaller, type RefreshRun, SubscriptionLeaseLost } from './refresh-run.ts'
import { writeEvents } from './write-events.ts'

/** Several times within the duration of a lease. */
const leaseRenewalMs = 10_000
const fetchMs = 30_000

/** What a run depends on; tests bring their own clock. */
export interface RunTools {
  settings: Settings
  signal: AbortSignal
  getNow?: () => Date
  fetchMs?: number
}

interface ClaimTools extends Required<RunTools> {
  owner: string
}

/** Reads all subscriptions that are due, one after the other. */
export async function runSubscriptions(db: Database, given: RunTools): Promise<void> {
  const tools: ClaimTools = { getNow: () => new Date(), fetchMs, ...given, owner: randomUUID() }
  await removeDeleted(db, tools)
  while (!tools.signal.aborted) {
    const claimed = await leases.claim(db, tools.owner, tools.getNow())
    if (claimed === undefined) return
    await runClaimed(db, claimed, tools)
  }
}

async function runClaimed(
  db: Database,
  { id, attempts }: { id: number; attempts: number },
  tools: ClaimTools
): Promise<void> {
  const subscription = await subscriptions.find(db, id)
  if (subscription === undefined) return
  const stop = new AbortController()
  const signal = AbortSignal.any([tools.signal, stop.signal])
  // A source may take longer to respond than the lease lasts.
  const renewal = setInterval(() => {
    leases.renewLease(db, id, tools.owner).then(
      isOurs => isOurs || stop.abort(),
      () => stop.abort()
    )
  }, leaseRenewalMs)
  try {
    if (attempts > leases.attemptsMax)
      return await saveFailure(db, subscription, buildText('subscription-reasons', 'tooOften'), tools)
    await refresh(db, subscription, { ...tools, signal })
  } catch (error) {
    // Another process continues, or it was stopped, paused or deleted.
    if (error instanceof SubscriptionLeaseLost || signal.aborted) return
    if (!(error instanceof Problem)) throw error
    await saveFailure(db, subscription, error.text, tools)
  } finally {
    clearInterval(renewal)
    await leases.release(db, id, tools.owner)
  }
}

async function refresh(db: Database, subscription: Subscription, tools: ClaimTools): Promise<void> {
  const now = tools.getNow()
  const feed = await fetchFeed(subscription, { ...tools, now })
  tools.signal.throwIfAborted()
  const saving = { owner: tools.owner, now }
  if (feed === 'unchanged') return await saveUnchanged(db, subscription, saving)
  const events = feed.items.filter(({ kind }) => kind === 'event')
  const compared = compareFeed(await items.listTracked(db, subscription.id, now), events)
  const problem = await findProblem(db, subscription, feed, compared)
  if (problem !== undefined) return await saveStopped(db, subscription, { ...saving, problem, feed })

  const run: RefreshRun = {
    id: (await runs.findOrStart(db, subscription.id, now)).id,
    owner: tools.owner,
    subscription,
    origin: feed.origin,
    categoryId: await findCategory(db, subscription),
    settings: tools.settings,
    defaultLanguage: tools.settings.defaultLanguage,
    newContext: newContextFactory(subscription, tools.settings, now),
    now
  }
  const renamed = subscription.matchesTitles ? compared.renamed : []
  if (renamed.length > 0) await items.rename(db, { subscriptionId: subscription.id, origin: feed.origin }, renamed)
  const memory = newImageFetchState()
  const linked = feed.items.filter(({ kind }) => kind !== 'event')
  await writeLinkedItems(db, run, linked, { memory, signal: tools.signal })
  await writeEvents(db, run, events, { memory, signal: tools.signal })
  const found = new Set(renamed.map(({ from }) => from))
  const lost = feed.isComplete ? compared.lost.filter(({ sourceId }) => !found.has(sourceId)) : []
  await handleGoneEvents(db, run, lost, tools.signal)
  await saveApplied(db, run, { feed, total: events.length })
}

/** Why the calendar must not be applied before an editor has looked at it. */
async function findProblem(
  db: Database,
  { isApproved, matchesTitles }: Subscription,
  { items: all, isComplete }: Feed,
  { problem }: FeedComparison
): Promise<Exclude<SubscriptionProblem, 'failing'> | undefined> {
  if (isApproved) return undefined
  const uids = all.flatMap(({ kind, uid }) => (kind === 'event' && uid !== undefined ? [uid] : []))
  const same = await items.listByUid(db, uids)
  const own = same.filter(({ importedVersion, isInImportedSeries }) => importedVersion === null && !isInImportedSeries)
  if (own.length * 2 > uids.length) return 'own-calendar'
  if (problem === 'ids-changed' && matchesTitles) return undefined
  // Events that a truncated file lacks were not deleted at the source.
  return isComplete || problem === 'ids-changed' ? problem : undefined
}

/** Null if the category was deleted meanwhile. */
async function findCategory(db: Database, { categoryId, language }: Subscription): Promise<number | null> {
  if (categoryId === null) return null
  const [found] = await terms.listByIds(db, 'category', [categoryId], { wanted: language, fallback: language })
  return found?.id ?? null
}

/** Stores the result of a run, unless another process has taken over or the subscription was changed meanwhile. */
async function saveResult(
  db: Database,
  { id }: Pick<Subscription, 'id'>,
  owner: string,
  save: (tx: Database) => Promise<void>
): Promise<void> {
  await db.transaction(async tx => {
    if (await leases.renewLease(tx, id, owner)) await save(tx)
  })
}

async function saveUnchanged(
  db: Database,
  subscription: Subscription,
  { owner, now, feed, counts = noRunCounts }: { owner: string; now: Date; feed?: Feed; counts?: RunCounts }
): Promise<void> {
  await saveResult(db, subscription, owner, async tx => {
    await runs.addIdle(tx, subscription.id, { result: 'unchanged', counts, now })
    await saveSuccess(tx, subscription, { now, feed })
  })
}

async function saveSuccess(
  tx: Database,
  subscription: Subscription,
  { now, feed }: { now: Date; feed?: Feed | undefined }
): Promise<void> {
  const interval = feed === undefined ? subscription : { ...subscription, feedMinutes: feed.read.feedMinutes }
  const nextRunAt = getNextRun(interval, now)
  await leases.setSucceeded(tx, subscription.id, {
    now,
    nextRunAt,
    ...(feed === undefined ? {} : { read: feed.read })
  })
}

/** A run that wrote nothing is an idle one, whatever it skipped. */
async function saveApplied(
  db: Database,
  { id, owner, subscription, now }: RefreshRun,
  { feed, total }: { feed: Feed; total: number }
): Promise<void> {
  const listed = await runs.countOutcomes(db, id)
  const { gone, ...ofEvents } = listed
  const counts = { ...listed, same: Math.max(0, total - Object.values(ofEvents).reduce((sum, one) => sum + one, 0)) }
  const written = counts.new + counts.changed + counts.conflict + counts.restored + gone
  const isFirst = subscription.parsedAt === null
  if (written === 0 && !isFirst) {
    await runs.remove(db, id)
    return await saveUnchanged(db, subscription, { owner, now, feed, counts })
  }
  await saveResult(db, subscription, owner, async tx => {
    await runs.finish(tx, id, counts, now)
    await saveSuccess(tx, subscription, { now, feed })
    const { id: subscriptionId } = subscription
    const details = { name: getSubscriptionName(subscription), ...counts }
    await record(tx, { by: newSubscriptionCaller(subscriptionId), now }, 'subscription.refreshed', {
      subject: 'subscription',
      id: subscriptionId,
      details
    })
  })
}

async function saveStopped(
  db: Database,
  subscription: Subscription,
  {
    owner,
    problem,
    feed,
    now
  }: { owner: string; problem: Exclude<SubscriptionProblem, 'failing'>; feed: Feed; now: Date }
): Promise<void> {
  const error = buildText('subscription-reasons', problem)
  const { id } = subscription
  await saveResult(db, subscription, owner, async tx => {
    await runs.addIdle(tx, id, { result: 'stopped', counts: noRunCounts, error, now })
    await leases.setStopped(tx, id, { problem, error, now, source: feed.read.source })
    const details = { name: getSubscriptionName(subscription), problem }
    await record(tx, { by: newSubscriptionCaller(id), now }, 'subscription.stopped', {
      subject: 'subscription',
      id,
      details
    })
  })
}

async function saveFailure(
  db: Database,
  subscription: Subscription,
  error: Text,
  { owner, getNow }: ClaimTools
): Promise<void> {
  const { id } = subscription
  const now = getNow()
  const nextRunAt = getNextAttempt(subscription, now)
  const isPaused = nextRunAt === null
  await saveResult(db, subscription, owner, async tx => {
    await runs.closeUnfinished(tx, id, now)
    await runs.addIdle(tx, id, { result: 'failed', counts: noRunCounts, error, now })
    await leases.setFailed(tx, id, { error, now, nextRunAt, isPaused })
    if (!isPaused) return
    const details = { name: getSubscriptionName(subscription) }
    await record(tx, { by: newSubscriptionCaller(id), now }, 'subscription.paused', {
      subject: 'subscription',
      id,
      details
    })
  })
}
