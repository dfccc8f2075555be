import { hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newForbiddenProblem, wordpressErrorFormat } from '../../contract/problems.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { getAuthorId } from '../../permissions/permissions.ts'
import { lockToEdit, trashEvent, updateEvent } from '../event.ts'
import { restoreVersion } from '../versions/restore.ts'
import { buildActionChanges, requireActionParams } from './action-changes.ts'
import type { ChangedEvent, StoredAction } from './queries.ts'
import * as bulk from './queries.ts'
import type { BulkResultJson, BulkValues, UnchangedJson } from './schema.ts'

/** Applies an action to each event on its own: an event that cannot be changed does not affect the others. */
export async function runBulkAction(db: Database, context: WriteContext, values: BulkValues): Promise<BulkResultJson> {
  return await db.transaction(async tx => {
    await requireActionParams(tx, context, values)
    const versions = new Map<number, number>()
    const outcome = await changeEach(tx, context.language, values.ids ?? [], async id => {
      const event = await lockToEdit(tx, context, id, undefined)
      versions.set(id, event.version)
      if (values.action === 'trash') await trashEvent(tx, context, id, undefined)
      else {
        const changes = await buildActionChanges(tx, context, event, values)
        await updateEvent(tx, context, id, { changes, expected: undefined })
      }
    })
    const after = await bulk.listVersionNumbers(tx, outcome.changed)
    const changes: ChangedEvent[] = after.map(({ id, version }) => ({
      id,
      before: versions.get(id) ?? 0,
      after: version
    }))
    const authorId = getAuthorId(context.caller)
    return { id: await bulk.insertAction(tx, { authorId, at: context.now, values, changes }), ...outcome }
  })
}

/** Takes the action back for the events that were not changed since. */
export async function undoBulkAction(db: Database, context: WriteContext, id: number): Promise<BulkResultJson> {
  return await db.transaction(async tx => {
    const { changes, undoneAt } = await requireAction(tx, context, id, { isLocked: true })
    if (undoneAt !== null) throw newAlreadyUndoneProblem()
    const known = new Map(changes.map(change => [change.id, change]))
    const outcome = await changeEach(tx, context.language, [...known.keys()], async eventId => {
      const { before = 0, after = 0 } = known.get(eventId) ?? {}
      const { version } = await lockToEdit(tx, context, eventId, undefined)
      if (version !== after) throw newChangedSinceProblem()
      await restoreVersion(tx, context, eventId, { version: before, expected: undefined })
    })
    await bulk.markUndone(tx, id, context.now)
    return { id, ...outcome }
  })
}

const newAlreadyUndoneProblem = () =>
  new Problem(409, 'bulk-action-already-undone', buildText('event-problems', 'alreadyUndone'))

const newChangedSinceProblem = () =>
  new Problem(409, 'event-changed-since', buildText('event-problems', 'changedSince'))

/** An action is visible to editors and to the caller who ran it. */
export async function requireAction(
  db: Database,
  { caller }: WriteContext,
  id: number,
  options: { isLocked?: boolean } = {}
): Promise<StoredAction> {
  const found = await bulk.findAction(db, id, options)
  if (found === undefined) {
    throw new Problem(404, 'rest-bulk-action-not-found', buildText('event-problems', 'restBulkActionNotFound', { id }))
  }
  if (found.authorId !== getAuthorId(caller) && !hasRole(caller, 'editor')) throw newForbiddenProblem()
  return found
}

/** Changes the events in the order of their ids, so that two actions at once wait for each other without a deadlock. */
async function changeEach(
  tx: Database,
  language: Language,
  ids: number[],
  change: (id: number) => Promise<void>
): Promise<{ changed: number[]; unchanged: UnchangedJson[] }> {
  const changed: number[] = []
  const unchanged: UnchangedJson[] = []
  for (const id of ids.toSorted((one, other) => one - other)) {
    await tx.script('savepoint bulk_event')
    try {
      await change(id)
      changed.push(id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await tx.script('rollback to savepoint bulk_event')
      unchanged.push({ id, ...describeProblem(error, language) })
    }
  }
  return { changed, unchanged }
}

function describeProblem({ code, text }: Problem, language: Language): { code: string; reason: string } {
  return { code: wordpressErrorFormat.translateCode?.(code) ?? code, reason: text[language] }
}
