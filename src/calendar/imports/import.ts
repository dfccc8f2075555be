import { record } from '#platform/activity/activity.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { getAuthorId } from '../permissions/permissions.ts'
import { encryptPassword, newMissingLoginProblem, parseLogin } from './login.ts'
import * as imports from './queries.ts'
import { fileBytesMax, type Import, type NewImport, type Policy } from './schema.ts'
import type { SourceName } from './sources/source.ts'

/** The job that runs imports; also scheduled every minute, to resume imports whose lease has expired. */
export const importJob = 'run-imports'

/** How long files and reports are kept and an import can be undone. */
const retentionDays = 30

/** The caller and time of the request. */
export interface ImportContext {
  caller: Caller
  settings: Settings
  /** The language of texts that do not declare one. */
  language: Language
  now: Date
}

/** Whether a worker runs the import, or the caller runs it immediately. */
export type ImportRunner = 'worker' | 'asker'

/** An uploaded file. */
export interface SentFile {
  name: string
  bytes: Buffer
}

/** Queues an import. It runs as soon as no other import runs. */
export async function startImport(
  db: Database,
  { caller, settings, language, now }: ImportContext,
  values: Omit<NewImport, 'file'>,
  {
    file,
    runBy = 'worker',
    compares = false
  }: { file?: SentFile | undefined; runBy?: ImportRunner; compares?: boolean } = {}
): Promise<number> {
  const { source = 'tec', url = null } = values
  requireValidInput(source, url, file)
  const login = parseLogin(source, values)
  // A caller that runs the import itself keeps the password in memory.
  const isStored = login !== undefined && runBy === 'worker'
  return await db.transaction(async tx => {
    const id = await imports.insert(
      tx,
      {
        source,
        url,
        fileName: file === undefined ? null : sanitizeFileName(file.name),
        dryRun: compares || (values.dry_run ?? true),
        compares,
        policy: values.policy ?? 'keep',
        language,
        timezone: values.timezone ?? settings.timezone,
        mapping: values.mapping ?? null,
        loginUser: login?.user ?? null,
        encryptedPassword: isStored ? encryptPassword(settings, login.password) : null,
        authorId: getAuthorId(caller),
        caller
      },
      file?.bytes ?? null,
      now
    )
    await recordStart(tx, { by: caller, now }, id, { source, dryRun: compares || (values.dry_run ?? true), compares })
    if (runBy === 'worker') await enqueue(tx, importJob, { key: importJob })
    return id
  })
}

/** Queues a dry run's source again, as a real run or another dry run, optionally with another mapping or policy. */
export async function runAgain(
  db: Database,
  { caller, now, settings }: Pick<ImportContext, 'caller' | 'now' | 'settings'>,
  id: number,
  changes: {
    mapping?: Record<string, string> | null
    policy?: Policy
    dry_run?: boolean | null
    password?: string | null
  }
): Promise<number> {
  const dryRun = changes.dry_run ?? false
  return await db.transaction(async tx => {
    const before = await lockImport(tx, id)
    if (!before.dryRun || before.compares || before.status !== 'done') throw newImportNotFinishedProblem()
    if (before.fileName !== null && (await imports.findFile(tx, id)) === null) throw newImportFileGoneProblem()
    const password = changes.password ?? ''
    if (before.loginUser !== null && password === '') throw newMissingLoginProblem('password')
    const made = await imports.insertRun(
      tx,
      id,
      {
        mapping: changes.mapping === undefined ? before.mapping : changes.mapping,
        policy: changes.policy ?? before.policy,
        dryRun,
        compares: false,
        encryptedPassword: before.loginUser === null ? null : encryptPassword(settings, password),
        authorId: getAuthorId(caller),
        caller
      },
      now
    )
    await recordStart(tx, { by: caller, now }, made, { source: before.source, dryRun })
    await enqueue(tx, importJob, { key: importJob })
    return made
  })
}

/** Queues a comparison of what was imported with its source, which is a site. */
export async function compareImport(
  db: Database,
  { caller, now, settings }: Pick<ImportContext, 'caller' | 'now' | 'settings'>,
  id: number,
  { password = '' }: { password?: string | null }
): Promise<number> {
  return await db.transaction(async tx => {
    const before = await lockImport(tx, id)
    if (before.source !== 'tec' || before.dryRun || before.status !== 'done') throw newNotComparableProblem()
    if (before.loginUser !== null && !password) throw newMissingLoginProblem('password')
    const { mapping, policy } = before
    const encryptedPassword = before.loginUser === null ? null : encryptPassword(settings, password ?? '')
    const made = await imports.insertRun(
      tx,
      id,
      { mapping, policy, dryRun: true, compares: true, encryptedPassword, authorId: getAuthorId(caller), caller },
      now
    )
    await recordStart(tx, { by: caller, now }, made, { source: before.source, dryRun: true, compares: true })
    await enqueue(tx, importJob, { key: importJob })
    return made
  })
}

async function recordStart(
  tx: Database,
  { by: caller, now }: Required<Actor>,
  id: number,
  details: object
): Promise<void> {
  await record(tx, { by: caller, now }, 'import.started', { subject: 'import', id, details })
}

/** Content written so far stays and can be undone. Idempotent. */
export async function cancelImport(
  db: Database,
  { caller, now }: Pick<ImportContext, 'caller' | 'now'>,
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockImport(tx, id)
    if (before.status === 'cancelled') return
    if (before.status !== 'waiting' && before.status !== 'running') throw newImportNotRunningProblem()
    await imports.setStatus(tx, id, { status: 'cancelled' }, now)
    await record(tx, { by: caller, now }, 'import.cancelled', { subject: 'import', id, details: before.counts })
  })
}

/** Queues the removal of everything the import wrote. Idempotent. */
export async function undoImport(
  db: Database,
  { caller, now }: Pick<ImportContext, 'caller' | 'now'>,
  id: number,
  runBy: ImportRunner = 'worker'
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockImport(tx, id)
    if (before.status === 'undoing' || before.status === 'undone') return
    if (!before.canUndo) throw newNothingToUndoProblem()
    await imports.setUndoing(tx, id)
    await record(tx, { by: caller, now }, 'import.undo_started', { subject: 'import', id })
    if (runBy === 'worker') await enqueue(tx, importJob, { key: importJob })
  })
}

/** Files, reports and undo logs are useless after the retention period. */
export async function deleteOldImports(db: Database, now: Date): Promise<void> {
  await imports.deleteOldData(db, new Date(now.getTime() - retentionDays * 86_400_000))
}

async function lockImport(tx: Database, id: number): Promise<Import> {
  const found = await imports.lock(tx, id)
  if (found === undefined) throw newImportNotFoundProblem(id)
  return found
}

/** A site needs a URL, a CSV table a file, a calendar either of them. */
function requireValidInput(source: SourceName, url: string | null, file: SentFile | undefined): void {
  if (source === 'tec' && url === null) throw newMissingInputProblem('url')
  if (source === 'csv' && file === undefined) throw newMissingInputProblem('file')
  if (source === 'ical' && file === undefined && url === null) throw newMissingInputProblem('url')
  if (file === undefined) return
  if (source === 'tec' || url !== null) {
    throw newInvalidParamProblem('file', 'not-both', buildText('import-problems', 'notBoth'))
  }
  if (file.bytes.length === 0 || file.bytes.length > fileBytesMax) {
    throw newInvalidParamProblem('file', 'size', buildText('import-problems', 'size'))
  }
}

/** The name is only displayed: removes characters that PostgreSQL rejects and truncates it. */
function sanitizeFileName(name: string): string {
  return name.replaceAll('\0', '').slice(0, 200).toWellFormed() || 'file'
}

const newMissingInputProblem = (parameter: 'url' | 'file') =>
  newInvalidParamProblem(parameter, 'required', buildText('import-problems', 'missingInput'))

export const newImportNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-import-not-found', buildText('import-problems', 'importNotFound', { id }))

const newImportNotFinishedProblem = () =>
  new Problem(409, 'import-not-finished', buildText('import-problems', 'importNotFinished'))

const newNotComparableProblem = () =>
  new Problem(409, 'import-not-comparable', buildText('import-problems', 'notComparable'))

const newImportFileGoneProblem = () =>
  new Problem(409, 'import-file-gone', buildText('import-problems', 'importFileGone'))

const newImportNotRunningProblem = () =>
  new Problem(409, 'import-not-running', buildText('import-problems', 'importNotRunning'))

const newNothingToUndoProblem = () =>
  new Problem(409, 'import-cannot-be-undone', buildText('import-problems', 'nothingToUndo'))
