import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import type { NewNote, Note } from '../../donations/notes/schema.ts'
import { newNoteNotFoundProblem } from '../../problems/donations.ts'
import { newDonorNotFoundProblem } from '../../problems/donors.ts'
import * as donors from '../listing/queries.ts'
import * as notes from './queries.ts'

/** Adds a note about a donor. Its text stays out of the activity log because it is about a person. */
export async function addNote(
  db: Database,
  { by, now = new Date() }: Actor,
  donorId: string,
  input: NewNote
): Promise<Note> {
  const note: Note = { id: newUuidV7(now.getTime()), text: input.text, at: now.toISOString(), actor: by.name }
  return await db.transaction(async tx => {
    const donor = await donors.lockMain(tx, donorId)
    if (donor === undefined) throw newDonorNotFoundProblem()
    await notes.insert(tx, donor.mainId, note)
    await record(tx, { by, now }, 'donor.noted', { subject: 'donor', id: donor.mainId, details: { noteId: note.id } })
    return note
  })
}

export async function removeNote(
  db: Database,
  { by, now = new Date() }: Actor,
  donorId: string,
  noteId: string
): Promise<void> {
  await db.transaction(async tx => {
    const donor = await donors.lockMain(tx, donorId)
    if (donor === undefined) throw newDonorNotFoundProblem()
    if (!(await notes.remove(tx, await donors.listMembers(tx, donor.mainId), noteId))) throw newNoteNotFoundProblem()
    await record(tx, { by, now }, 'donor.note_removed', { subject: 'donor', id: donor.mainId, details: { noteId } })
  })
}
