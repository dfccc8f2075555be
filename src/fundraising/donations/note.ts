import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { newNoteNotFoundProblem } from '../problems/donations.ts'
import { lockDonation } from './donation.ts'
import * as notes from './notes/queries.ts'
import type { NewNote, Note } from './notes/schema.ts'

interface NoteTarget {
  campaignId: number
  donationId: string
}

/** Adds a note. Its text stays out of the activity log because it can be about a person. */
export async function addNote(
  db: Database,
  { by, now = new Date() }: Actor,
  of: NoteTarget,
  input: NewNote
): Promise<Note> {
  const note: Note = { id: newUuidV7(now.getTime()), text: input.text, at: now.toISOString(), actor: by.name }
  return await db.transaction(async tx => {
    await lockDonation(tx, of.campaignId, of.donationId)
    await notes.insert(tx, of, note)
    await recordNote(tx, { by, now }, 'donation.noted', { ...of, noteId: note.id })
    return note
  })
}

export async function removeNote(
  db: Database,
  { by, now = new Date() }: Actor,
  of: NoteTarget,
  id: string
): Promise<void> {
  await db.transaction(async tx => {
    await lockDonation(tx, of.campaignId, of.donationId)
    if (!(await notes.remove(tx, of, id))) throw newNoteNotFoundProblem()
    await recordNote(tx, { by, now }, 'donation.note_removed', { ...of, noteId: id })
  })
}

async function recordNote(
  tx: Database,
  { by, now }: Required<Actor>,
  action: string,
  { campaignId, donationId, noteId }: NoteTarget & { noteId: string }
): Promise<void> {
  await record(tx, { by, now }, action, { subject: 'donation', id: donationId, details: { campaignId, noteId } })
}
