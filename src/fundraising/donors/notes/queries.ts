import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Note } from '../../donations/notes/schema.ts'

/** Oldest first: the ids begin with the timestamp. */
export async function listOfDonors(db: Database, donorIds: string[]): Promise<Note[]> {
  return await db.all(sql`
    select id, text, at, actor
    from fundraising.donor_notes
    where donor_id = any(${donorIds}::uuid[])
    order by id
    limit 1000`)
}

export async function insert(tx: Database, donorId: string, note: Note): Promise<void> {
  await tx.run(sql`
    insert into fundraising.donor_notes (donor_id, id, text, at, actor)
    values (${donorId}, ${note.id}, ${note.text}, ${note.at}, ${note.actor})`)
}

/** Returns false if none of these donors has such a note. */
export async function remove(tx: Database, donorIds: string[], id: string): Promise<boolean> {
  const removed = await tx.run(sql`
    delete from fundraising.donor_notes where donor_id = any(${donorIds}::uuid[]) and id = ${id}`)
  return removed === 1
}
