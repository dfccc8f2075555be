import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Note } from './schema.ts'

/** Oldest first: the ids begin with the timestamp. */
export async function listOfDonation(db: Database, campaignId: number, donationId: string): Promise<Note[]> {
  return await db.all(sql`
    select id, text, at, actor
    from fundraising.notes
    where campaign_id = ${campaignId} and donation_id = ${donationId}
    order by id
    limit 1000`)
}

export async function insert(tx: Database, of: { campaignId: number; donationId: string }, note: Note): Promise<void> {
  await tx.run(sql`
    insert into fundraising.notes (campaign_id, donation_id, id, text, at, actor)
    values (${of.campaignId}, ${of.donationId}, ${note.id}, ${note.text}, ${note.at}, ${note.actor})`)
}

/** Returns false if there is no such note. */
export async function remove(
  tx: Database,
  of: { campaignId: number; donationId: string },
  id: string
): Promise<boolean> {
  const removed = await tx.run(sql`
    delete from fundraising.notes
    where campaign_id = ${of.campaignId} and donation_id = ${of.donationId} and id = ${id}`)
  return removed === 1
}
