// The SQL statements of a test run: which there were, and which of them a server can prepare.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { template, toDatabaseUrl } from '#test/support/database.ts'

/** The statements that the processes of a run wrote into a folder (record-statements.mjs), each once. */
export function readRecordedStatements(folder: string): string[] {
  return [...new Set(readdirSync(folder).flatMap<string>(name => JSON.parse(readFileSync(join(folder, name), 'utf8'))))]
}

/** The statements that a migrated database can prepare: tests also use tables of their own, which it does not have. */
export async function listPreparable(server: string, texts: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: toDatabaseUrl(server, template) })
  await client.connect()
  const prepared: string[] = []
  for (const text of texts) {
    try {
      // The extended protocol refuses several statements in one text, of which the others would be run.
      await client.query({ text: `prepare one as ${text}`, ...{ queryMode: 'extended' } })
      await client.query('deallocate one')
      prepared.push(text)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
    }
  }
  await client.end()
  return prepared
}
