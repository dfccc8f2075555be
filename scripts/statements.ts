// The statements of a test run: which there were, and which of them a server can prepare.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { template, toDatabaseUrl } from '#test/support/database.ts'

/** Those that the processes of a run have written into a folder (tell-statements.mjs), each once. */
export function statementsIn(folder: string): string[] {
  return [...new Set(readdirSync(folder).flatMap<string>(name => JSON.parse(readFileSync(join(folder, name), 'utf8'))))]
}

/** Tests have tables of their own too, which a migrated database does not know. */
export async function preparable(server: string, texts: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: toDatabaseUrl(server, template) })
  await client.connect()
  const good: string[] = []
  for (const text of texts) {
    try {
      await client.query(`prepare one as ${text}`)
      await client.query('deallocate one')
      good.push(text)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
    }
  }
  await client.end()
  return good
}
