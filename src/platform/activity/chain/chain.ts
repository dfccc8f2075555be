import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import { fetchBatches } from '../../database/streaming.ts'
import type { Log } from '../../log.ts'
import type { ChainLink, IdRange, RecordText } from './queries.ts'
import * as chain from './queries.ts'

/** The previous hash of the first line. */
const initialHash = '0'.repeat(64)
/** Small enough that hashing a batch does not block other requests. */
const batchRows = 500
/**
 * How far below the highest chained id the frequent scan starts: ids are assigned before the commit, so a row with a
 * lower id can appear later. The full scan finds rows that a very slow transaction commits further below.
 */
const overlapIds = 1000
/** Ids that the full scan compares per statement, so that each statement is short however long the log is. */
const idsPerStatement = 10_000
const pollIntervalMs = 5000
/** Once an hour: the full scan compares all ids. */
const pollsUntilFullScan = 720
/** How long shutdown waits for the last scan. */
const stopMs = 1000

/**
 * Formats a record as a line of the export. The next line holds the SHA-256 of these bytes, so the format never
 * changes.
 */
export function formatLine(record: RecordText, position: number, previousHash: string): string {
  const { id, at, action, subject, subjectId, actor, requestId, details } = record
  const fields = JSON.stringify({ position, previousHash, id, at, action, subject, subjectId, actor, requestId })
  return `${fields.slice(0, -1)},"details":${details}}`
}

const hashLine = (line: string) => createHash('sha256').update(line).digest('hex')

/**
 * Appends committed records that are not in the chain yet, in the order in which it finds them; returns how many. An
 * advisory lock lets one process at a time do this; the others return at once.
 */
export async function extendChain(db: Database, { all }: { all: boolean }): Promise<number> {
  const head = await chain.findHead(db)
  if (head === undefined) return await appendRange(db, { afterId: 0, throughId: undefined })
  if (!all) return await appendRange(db, { afterId: head.highestId - overlapIds, throughId: undefined })
  let chained = 0
  for (let afterId = head.lowestId - 1; afterId < head.highestId; afterId += idsPerStatement) {
    chained += await appendRange(db, { afterId, throughId: Math.min(afterId + idsPerStatement, head.highestId) })
  }
  return chained + (await appendRange(db, { afterId: head.highestId, throughId: undefined }))
}

async function appendRange(db: Database, { afterId, throughId }: IdRange): Promise<number> {
  let chained = 0
  for (let last = afterId; ; ) {
    const ids = await appendBatch(db, { afterId: last, throughId })
    chained += ids.length
    if (ids.length < batchRows) return chained
    last = ids.at(-1) ?? last
  }
}

async function appendBatch(db: Database, range: IdRange): Promise<number[]> {
  // Check without the lock first, because usually there is nothing to append.
  if ((await chain.listUnchained(db, range, 1)).length === 0) return []
  return await db.transaction(async tx => {
    if (!(await chain.tryLock(tx))) return []
    const head = await chain.findHead(tx)
    let position = head?.position ?? 0
    let previousHash = head?.hash.toString('hex') ?? initialHash
    const links = (await chain.listUnchained(tx, range, batchRows)).map(record => {
      position += 1
      previousHash = hashLine(formatLine(record, position, previousHash))
      return { position, activityId: record.id, hash: previousHash }
    })
    if (links.length > 0) await chain.insert(tx, links)
    return links.map(({ activityId }) => activityId)
  })
}

/** Appends new records for as long as the process runs, so that a record is chained within seconds. */
export function startChainWriter(db: Database, log: Log, everyMs = pollIntervalMs): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')

  async function appendNew(): Promise<void> {
    let isAway = false
    let isFullDue = true
    for (let looks = 1; !stopping.signal.aborted; looks += 1) {
      try {
        await extendChain(db, { all: isFullDue })
        isFullDue = looks % pollsUntilFullScan === 0
        isAway = false
      } catch (error) {
        // The database is unavailable: log once, and retry until it is back.
        if (!isAway) log.warn({ err: error }, 'failed to chain activity records; will retry')
        isAway = true
      }
      await Promise.race([stopped, sleep(everyMs, undefined, { ref: false })])
    }
    // Chain the last records before shutdown. If the database is unavailable, the next start does it.
    if (!isAway) await extendChain(db, { all: false })
  }

  const chaining = appendNew()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([chaining, sleep(stopMs, undefined, { ref: false })])
    }
  }
}

/** Reads the chain from its beginning in batches. */
export function readChain(db: Database): AsyncGenerator<ChainLink[]> {
  return fetchBatches<ChainLink>(async last => await chain.listLinks(db, last?.position ?? 0, batchRows), batchRows)
}

/** Formats each record with the stored hash of the previous link; skips records that are missing. */
export async function* listLines(db: Database): AsyncGenerator<string[]> {
  let previousHash = initialHash
  for await (const links of readChain(db)) {
    const lines: string[] = []
    for (const link of links) {
      if (isPresent(link)) lines.push(formatLine(link, link.position, previousHash))
      previousHash = link.hash.toString('hex')
    }
    yield lines
  }
}

const isPresent = (link: ChainLink): link is ChainLink & RecordText => link.id !== null

const faultsShown = 20

/** Verifies the chain for `doctor`: every record unchanged since it was chained, none missing, none inserted. */
export async function checkChain(
  db: Database
): Promise<{ level: 'ok' | 'WARN' | 'FAULT'; about: string; details?: string[]; remedy?: string }> {
  const faults: string[] = []
  let previousHash = initialHash
  let position = 0
  let count = 0
  // After the retention period the first link has no record any more: a record of the deletion names it.
  const deletion = await chain.findDeletion(db)
  for await (const links of readChain(db)) {
    for (const link of links) {
      const hash = link.hash.toString('hex')
      if (position === 0 && !isPresent(link) && link.position === deletion?.position && hash === deletion.hash) {
        previousHash = hash
        position = link.position
        continue
      }
      if (link.position !== position + 1) faults.push(`positions ${position + 1} to ${link.position - 1} are missing`)
      if (!isPresent(link)) faults.push(`record ${link.activityId} (position ${link.position}) is missing`)
      else if (hashLine(formatLine(link, link.position, previousHash)) !== hash) {
        faults.push(`record ${link.id} (position ${link.position}) was modified after it was chained`)
      }
      previousHash = hash
      position = link.position
      count += 1
    }
  }
  const { all, late } = await chain.countUnchained(db)
  const waiting = all === 0 ? '' : `, ${all} not chained yet`
  const last = count === 0 ? '' : `, last hash ${previousHash}`
  const deleted = deletion === undefined ? '' : ` (${deletion.position} earlier ones were deleted)`
  const about = `activity log: ${count} records in the hash chain${deleted}${waiting}${last}`
  if (faults.length > 0) {
    const more = faults.length > faultsShown ? [`and ${faults.length - faultsShown} more`] : []
    return {
      level: 'FAULT',
      about,
      details: [...faults.slice(0, faultsShown), ...more],
      remedy:
        'The tables were modified manually. Keep this database unchanged, compare it with an older backup or export of ' +
        'the activity log, and find out who has access to it.'
    }
  }
  if (late > 0) {
    const details = [`${late} records older than ten minutes are not chained`]
    return { level: 'WARN', about, details, remedy: 'Start the worker: serve without WORKER=false, or serve worker.' }
  }
  return { level: 'ok', about }
}
