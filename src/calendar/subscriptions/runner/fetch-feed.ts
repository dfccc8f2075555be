import { createHash } from 'node:crypto'
import type { Settings } from '#platform/config.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { type FetchedResponse, fetchBytes, SafeFetchError } from '#platform/safe-fetch.ts'
import { sanitizeItem } from '../../imports/runner/sanitize-item.ts'
import { newFetchFailedProblem, newFileTooLargeProblem } from '../../imports/sources/incoming/source-file.ts'
import type { ImportRequest, Incoming, Source } from '../../imports/sources/source.ts'
import { isOwnAddress } from '../address.ts'
import type { ReadFeed } from '../lease-queries.ts'
import type { Subscription } from '../schema.ts'

/** As for imports. */
const bytesMax = 10 * 1024 * 1024

/** Recurring events get further occurrences with time, so that a calendar that does not change is read as well. */
const fullReadMs = 24 * 3_600_000

export interface FetchTools {
  settings: Settings
  signal: AbortSignal
  now: Date
  fetchMs: number
}

/** A calendar as it is at its source now. */
export interface Feed {
  read: ReadFeed
  origin: string
  isComplete: boolean
  items: Incoming[]
}

/** Reads the calendar; `unchanged` if it is the one that was applied last. */
export async function fetchFeed(subscription: Subscription, tools: FetchTools): Promise<Feed | 'unchanged'> {
  const known = isConditional(subscription, tools.now) ? subscription : undefined
  const feed =
    subscription.source === 'tec'
      ? await readSite(subscription, tools)
      : await fetchCalendar(subscription, known, tools)
  if (feed === 'unchanged') return feed
  const { contentHash } = feed.read
  return contentHash !== null && known?.contentHash?.equals(contentHash) === true ? 'unchanged' : feed
}

function isConditional({ parsedAt, problem, isApproved }: Subscription, now: Date): boolean {
  if (parsedAt === null || problem !== null || isApproved) return false
  return now.getTime() - Date.parse(parsedAt) < fullReadMs
}

async function fetchCalendar(
  subscription: Subscription,
  known: Subscription | undefined,
  tools: FetchTools
): Promise<Feed | 'unchanged'> {
  const fetched = await fetchFile(subscription.url, known, tools)
  if (isOwnAddress(fetched.url, tools.settings)) throw newOwnRedirectProblem()
  if (fetched.status === 304 && known !== undefined) return 'unchanged'
  if (fetched.status !== 200) throw newFetchFailedProblem(`HTTP ${fetched.status}`)
  const contentHash = createHash('sha256').update(fetched.bytes).digest()
  if (known?.contentHash?.equals(contentHash) === true) return 'unchanged'
  if (subscription.source === null && !isCalendar(fetched.bytes)) return await readSite(subscription, tools)
  const { openIcal } = await import('../../imports/sources/ical/ical-source.ts')
  const source = await openIcal(toRequest(subscription, fetched.bytes), tools)
  const { etag = null, 'last-modified': lastModified = null } = fetched.headers
  return await readSource(source, { source: 'ical', etag, lastModified, contentHash })
}

async function fetchFile(
  url: string,
  known: Subscription | undefined,
  { settings, fetchMs }: FetchTools
): Promise<FetchedResponse> {
  try {
    return await fetchBytes(url, {
      allowPrivate: settings.allowPrivateAddresses,
      bytesMax,
      timeoutMs: fetchMs,
      redirectsMax: 5,
      accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
      headers: {
        ...(known?.etag == null ? {} : { 'if-none-match': known.etag }),
        ...(known?.lastModified == null ? {} : { 'if-modified-since': known.lastModified })
      }
    })
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    throw error.reason === 'too-large' ? newFileTooLargeProblem() : newFetchFailedProblem(error.reason)
  }
}

/** The beginning of the file decides: many servers send another content type. */
const isCalendar = (bytes: Buffer) =>
  /BEGIN:VCALENDAR/i.test(bytes.subarray(0, 2000).toString('latin1').replaceAll('\0', ''))

async function readSite(subscription: Subscription, tools: FetchTools): Promise<Feed> {
  const { openTec } = await import('../../imports/sources/tec/tec-source.ts')
  const source = await openTec(toRequest(subscription, null), tools).catch((error: unknown) => {
    const isNone = error instanceof Problem && error.code === 'import-no-calendar' && subscription.source === null
    throw isNone ? newNoCalendarProblem() : error
  })
  return await readSource(source, { source: 'tec', etag: null, lastModified: null })
}

function toRequest({ url, language, timezone }: Subscription, file: Buffer | null): ImportRequest {
  return { url, file, fileName: null, language, timezone, mapping: null, login: null }
}

/** Reads all items before any is written: a calendar that looks damaged is not applied. */
async function readSource(
  source: Source,
  known: Pick<ReadFeed, 'source' | 'etag' | 'lastModified'> & { contentHash?: Buffer }
): Promise<Feed> {
  const items = new Map<string, Incoming>()
  for await (const batch of source.batches()) {
    for (const item of batch.map(sanitizeItem)) {
      const key = `${item.kind} ${item.sourceId}`
      if (!items.has(key)) items.set(key, item)
    }
  }
  const listed = [...items.values()]
  const isComplete = source.isComplete?.() !== false
  const hash = known.contentHash ?? createHash('sha256').update(JSON.stringify(listed)).digest()
  const conditions = isComplete
    ? { ...known, contentHash: hash }
    : { contentHash: null, etag: null, lastModified: null }
  return {
    read: {
      ...conditions,
      source: known.source,
      feedName: source.name ?? null,
      feedMinutes: source.refreshMinutes ?? null
    },
    origin: source.origin,
    isComplete,
    items: listed
  }
}

const newOwnRedirectProblem = () =>
  new Problem(400, 'subscription-own-address', buildText('subscription-problems', 'ownRedirect'))

/** One error for all reasons: the caller must not learn what else is at a URL. */
const newNoCalendarProblem = () =>
  new Problem(400, 'subscription-no-calendar', buildText('subscription-problems', 'noCalendar'))
