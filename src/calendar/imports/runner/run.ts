import { randomUUID } from 'node:crypto'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { buildSite } from '../../contract/routing/site.ts'
import { toViewer } from '../../permissions/permissions.ts'
import { decryptLogin } from '../login.ts'
import * as imports from '../queries.ts'
import { getLastPosition } from '../row-queries.ts'
import type { Import } from '../schema.ts'
import type { Incoming, OpenSource, Source, SourceLogin, SourceName } from '../sources/source.ts'
import { importBatch, LeaseLost } from './batch.ts'
import { compareBatch } from './compare-batch.ts'
import { compareGone } from './compare-gone.ts'
import { fetchFiles } from './files.ts'
import { reportGoneEvents } from './gone.ts'
import { fetchImages, newImageFetchState } from './images.ts'
import type { ImportRun } from './import-run.ts'
import { reasons } from './reasons.ts'
import { findRecurringItems } from './recurring-items.ts'
import { sanitizeItem, sourceIdLengthMax } from './sanitize-item.ts'
import { undoChanges } from './undo.ts'
import * as journal from './undo-log.ts'
import type { ContextFactory } from './write-item.ts'

/** Items per transaction: enough for throughput, few enough to hold locks only briefly. */
const batchMax = 25
/** Several times within the duration of a lease. */
const leaseRenewalMs = 10_000

/** Each source is loaded on demand. */
const sources: Record<SourceName, () => Promise<OpenSource>> = {
  tec: async () => (await import('../sources/tec/tec-source.ts')).openTec,
  ical: async () => (await import('../sources/ical/ical-source.ts')).openIcal,
  csv: async () => (await import('../sources/csv/csv-source.ts')).openCsv
}

/** Runs waiting imports and those with an expired lease, one after the other until none is left. */
export async function runImports(db: Database, settings: Settings, signal: AbortSignal): Promise<void> {
  const owner = randomUUID()
  while (!signal.aborted) {
    const claimed = await imports.claim(db, owner)
    if (claimed === undefined) return
    await runClaimed(db, settings, claimed, { owner, signal })
  }
}

/** Runs this import immediately, with a login from memory; false while another import runs in any process. */
export async function runOne(
  db: Database,
  settings: Settings,
  id: number,
  { signal, login }: { signal: AbortSignal; login?: SourceLogin | undefined }
): Promise<boolean> {
  const owner = randomUUID()
  const claimed = await imports.claim(db, owner, id)
  if (claimed === undefined) return false
  await runClaimed(db, settings, claimed, { owner, signal, login })
  return true
}

interface RunOptions {
  owner: string
  signal: AbortSignal
  login?: SourceLogin | undefined
}

async function runClaimed(
  db: Database,
  settings: Settings,
  { id, attempts }: imports.ClaimedImport,
  { owner, signal, login }: RunOptions
): Promise<void> {
  const found = await imports.find(db, id)
  if (found === undefined) return
  const stop = new AbortController()
  const stopped = AbortSignal.any([signal, stop.signal])
  // A source may take longer to respond than the lease lasts.
  const saying = setInterval(() => {
    imports.renewLease(db, id, owner).then(
      isOurs => isOurs || stop.abort(),
      () => stop.abort()
    )
  }, leaseRenewalMs)
  try {
    if (attempts > imports.attemptsMax) return await finishImport(db, found, 'failed', reasons.tooOften())
    if (found.status === 'undoing') {
      await undoChanges(db, newContextFactory(found, settings), found, { owner, signal: stopped })
      if (!stopped.aborted) await finishImport(db, found, 'undone')
    } else {
      await runFromSource(db, settings, found, { owner, signal: stopped, login })
      if (!stopped.aborted) await finishImport(db, found, 'done')
    }
  } catch (error) {
    // Another runner continues it, or it was cancelled or stopped.
    if (error instanceof LeaseLost || stopped.aborted) return
    if (error instanceof Problem) return await finishImport(db, found, 'failed', error.text)
    throw error
  } finally {
    clearInterval(saying)
    await imports.release(db, id, owner)
  }
}

/** Sets the final status and records it in the activity log. */
async function finishImport(db: Database, { id, caller }: Import, status: 'done' | 'failed' | 'undone', error?: Text) {
  const now = new Date()
  await db.transaction(async tx => {
    const found = await imports.lock(tx, id)
    if (found === undefined || (found.status !== 'running' && found.status !== 'undoing')) return
    await imports.setStatus(tx, id, { status, error }, now)
    const action = { done: 'import.finished', failed: 'import.failed', undone: 'import.undone' }[status]
    const details = { ...found.counts, source: found.source, dryRun: found.dryRun }
    await record(tx, { by: caller, now }, action, { subject: 'import', id, details })
  })
}

async function runFromSource(
  db: Database,
  settings: Settings,
  found: Import,
  { owner, signal, login: given }: RunOptions
): Promise<void> {
  const open = await sources[found.source]()
  const { url, fileName, language, timezone, mapping } = found
  const file = fileName === null ? null : await imports.findFile(db, found.id)
  const login = given ?? (await findLogin(db, settings, found))
  const request = { url, file, fileName, language, timezone, mapping, login }
  const source = await open(request, {
    settings,
    now: new Date(found.startedAt ?? found.createdAt),
    signal,
    findRecurring: async (origin, sourceIds) => await findRecurringItems(db, origin, sourceIds)
  })
  await imports.setSource(db, found.id, source)
  const run: ImportRun = {
    id: found.id,
    owner,
    origin: source.origin,
    policy: found.policy,
    dryRun: found.dryRun,
    defaultLanguage: settings.defaultLanguage,
    settings,
    newContext: newContextFactory(found, settings, source.origin),
    position: await getLastPosition(db, found.id),
    number: await journal.getLastNumber(db, found.id)
  }
  const memory = newImageFetchState()
  for await (const items of prefetchBatches(source)) {
    for (let first = 0; first < items.length; first += batchMax) {
      if (signal.aborted) return
      const some = items.slice(first, first + batchMax).map(sanitizeItem)
      if (found.compares) await compareBatch(db, run, some)
      else {
        const images = await fetchImages(db, run, some, memory)
        await importBatch(db, run, some, new Map([...images, ...(await fetchFiles(db, run, some, memory))]))
      }
    }
  }
  if (signal.aborted || source.place === undefined || source.isComplete?.() === false) return
  if (found.compares) return await compareGone(db, run, source.isPublicOnly === true)
  await reportGoneEvents(
    db,
    run,
    {
      place: source.place.slice(0, sourceIdLengthMax).replaceAll('\0', '').toWellFormed(),
      publicOnly: source.isPublicOnly === true
    },
    new Date()
  )
}

async function findLogin(db: Database, settings: Settings, { id, loginUser }: Import): Promise<SourceLogin | null> {
  return loginUser === null ? null : decryptLogin(settings, loginUser, await imports.findEncryptedPassword(db, id))
}

/** Reads the next batch while the current one is written. */
async function* prefetchBatches(source: Source): AsyncGenerator<Incoming[]> {
  const batches = source.batches()[Symbol.asyncIterator]()
  const read = () => {
    const next = batches.next()
    // The consumer gets the error on await; until then it must not count as an unhandled rejection.
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = read(); ; ) {
      const { done, value } = await next
      if (done === true) return
      next = read()
      yield value
    }
  } finally {
    await batches.return?.()
  }
}

/** Writes run as the caller who started the import, with their role at that time. */
function newContextFactory({ source, caller, timezone }: Import, settings: Settings, origin = ''): ContextFactory {
  const own = buildSite(settings.publicUrl ?? '', settings)
  // What an organization writes about its own old site is no advertising of visitors.
  const hosts = source === 'tec' && origin !== '' ? [origin.split('/', 1)[0] ?? ''] : []
  const site = { ...own, ownHosts: new Set([...own.ownHosts, ...hosts]) }
  const viewer = toViewer(caller)
  return (tx, language) => ({
    db: tx,
    now: new Date(),
    zone: timezone,
    site,
    caller,
    viewer,
    language,
    requestedLanguage: language,
    rollbacks: []
  })
}
