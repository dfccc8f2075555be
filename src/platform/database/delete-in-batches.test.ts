import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpiredProofs } from '#fundraising/donations/abuse-protection/abuse-protection.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { startCampaigns } from '#test/support/services.ts'
import { deleteExpiredResponses } from '../http/idempotency.ts'
import { deleteExpiredCounters } from '../rate-limit/postgres-store.ts'
import type { Database } from './database.ts'

const { store } = await startCampaigns()
const rows = 'generate_series(1, 20001) as number'

const tables: [table: string, insert: string, deleteExpired: (db: Database) => Promise<void>][] = [
  [
    'platform.idempotency',
    `insert into platform.idempotency (key_hash, body_hash, response, created_at)
      select decode(md5(number::text), 'hex'), '', '', now() - interval '25 hours' from ${rows}`,
    async db => await deleteExpiredResponses(db, new Date())
  ],
  [
    'platform.counters',
    `insert into platform.counters (key_hash, count, until)
      select decode(md5(number::text), 'hex'), 1, now() - interval '1 minute' from ${rows}`,
    deleteExpiredCounters
  ],
  [
    'fundraising.used_proofs',
    `insert into fundraising.used_proofs (challenge, expires_at)
      select repeat(md5(number::text), 2), now() - interval '1 minute' from ${rows}`,
    deleteExpiredProofs
  ]
]

for (const [table, insert, deleteExpired] of tables) {
  test(`expired rows of ${table} are deleted in several short statements`, async () => {
    await store.script(insert)
    const counting = countStatements(store)
    await deleteExpired(counting.store)
    assert.equal(counting.statements(), 3)
    await store.script(`do $$ begin assert not exists (select from ${table}); end $$`)
  })
}
