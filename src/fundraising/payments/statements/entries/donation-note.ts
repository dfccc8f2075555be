import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import * as notes from '../../../donations/notes/queries.ts'
import { describeReturn } from '../matching/reasons.ts'

interface DonationNote {
  of: { campaignId: number; id: string }
  text: string
}

/** Adds notes to donations about what a bank statement reported, for later reference. */
export async function addNotes(tx: Database, by: Caller, all: DonationNote[], now: Date): Promise<void> {
  await Promise.all(
    all.map(async ({ of: { campaignId, id: donationId }, text }) => {
      const note = { id: newUuidV7(now.getTime()), text, at: now.toISOString(), actor: by.name }
      const what = { subject: 'donation', id: donationId, details: { campaignId, noteId: note.id } }
      await Promise.all([
        notes.insert(tx, { campaignId, donationId }, note),
        record(tx, { by, now }, 'donation.noted', what)
      ])
    })
  )
}

export function formatReturnNote(
  entry: { returnReason: string | null; bookedOn: string | null; position: number },
  statementId: number,
  language: Language
): string {
  const why = pickByLanguage(describeReturn(entry.returnReason).message, language)
  return `${why} ${formatPlace(entry, statementId, language)}`
}

function formatPlace(
  { bookedOn, position }: { bookedOn: string | null; position: number },
  id: number,
  language: Language
): string {
  const { place, placeWithDay } = getMessages('donation-notes', language)
  return bookedOn === null
    ? place({ id, position })
    : placeWithDay({ id, position, day: formatDay(bookedOn, language) })
}

function formatDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}
