import { deleteOldActivity } from '../activity/retention/retention.ts'
import type { Settings } from '../config.ts'
import { deleteExpiredResponses } from '../http/idempotency.ts'
import type { Log } from '../log.ts'
import { deleteExpiredCounters } from '../rate-limit/postgres-store.ts'
import { checkForRelease } from '../release/newest-release.ts'
import { deleteOldDeliveries } from '../webhooks/sender.ts'
import type { Job } from './jobs.ts'

export function createPlatformJobs(settings: Settings, log: Log): Job[] {
  return [
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
    },
    {
      name: 'delete-old-activity',
      run: async (db, _payload, stopping) => await deleteOldActivity(db, settings, new Date(), stopping),
      schedule: '57 3 * * *'
    },
    {
      name: 'check-for-release',
      run: async db => await checkForRelease(db, settings, log),
      schedule: '23 5 * * *'
    }
  ]
}
