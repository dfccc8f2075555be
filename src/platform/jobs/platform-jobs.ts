import { deleteExpiredResponses } from '../http/idempotency.ts'
import { deleteExpiredCounters } from '../rate-limit/postgres-store.ts'
import { deleteOldDeliveries } from '../webhooks/sender.ts'
import type { Job } from './jobs.ts'

export const platformJobs: Job[] = [
  {
    name: 'delete-expired-responses',
    formerName: 'forget-old-answers',
    run: async db => await deleteExpiredResponses(db, new Date()),
    schedule: '17 * * * *'
  },
  {
    name: 'delete-old-deliveries',
    formerName: 'forget-old-deliveries',
    run: async db => await deleteOldDeliveries(db, new Date()),
    schedule: '37 * * * *'
  },
  {
    name: 'delete-expired-counters',
    formerName: 'forget-old-counts',
    run: deleteExpiredCounters,
    schedule: '*/5 * * * *'
  }
]
