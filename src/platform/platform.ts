import { forgetOldAnswers } from './idempotency.ts'
import type { Job } from './jobs.ts'
import type { Migrations } from './migrate.ts'

export const platformMigrations: Migrations = { part: 'platform', folder: new URL('./migrations/', import.meta.url) }

export const platformJobs: Job[] = [
  { name: 'forget-old-answers', run: async db => await forgetOldAnswers(db, new Date()), schedule: '17 * * * *' }
]
