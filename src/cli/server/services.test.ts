import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '#platform/config.ts'
import { silent } from '#test/support/database.ts'
import { listJobs } from './services.ts'

test('a process that runs jobs creates scheduled backups if BACKUP_SCHEDULE is set', () => {
  const list = (env: Record<string, string>) => listJobs(readSettings(env), silent).map(({ name }) => name)
  assert.ok(list({ BACKUP_SCHEDULE: '03:17' }).includes('take-scheduled-backup'))
  assert.ok(!list({}).includes('take-scheduled-backup'))
})
