import type { Settings } from '#platform/config.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deleteOldActions } from './events/bulk/queries.ts'
import { buildUidHost, storeUids } from './events/feeds/queries.ts'
import { deleteOldImports, importJob } from './imports/import.ts'
import { runImports } from './imports/runner/run.ts'
import { extendSeries } from './series/extend.ts'
import { runSubscriptions } from './subscriptions/runner/run.ts'
import { deleteOldRuns, subscriptionJob } from './subscriptions/subscription.ts'
import { notifyEditors, notifyJob } from './suggestions/notify.ts'
import { deleteOldSuggestions } from './suggestions/retention.ts'

export function createCalendarJobs(settings: Settings): Job[] {
  return [
    {
      name: importJob,
      run: async (db, _payload, stopping) => await runImports(db, settings, stopping),
      // Resumes imports whose process has died.
      schedule: '* * * * *'
    },
    {
      name: 'delete-old-imports',
      formerName: 'forget-imports',
      run: async db => await deleteOldImports(db, new Date()),
      schedule: '23 4 * * *'
    },
    {
      name: 'delete-old-bulk-actions',
      run: async db => await deleteOldActions(db, new Date()),
      schedule: '29 4 * * *'
    },
    {
      name: subscriptionJob,
      run: async (db, _payload, signal) => await runSubscriptions(db, { settings, signal }),
      // Fetches due subscriptions, and resumes runs whose process has died.
      schedule: '* * * * *'
    },
    {
      name: 'delete-old-subscription-runs',
      run: async db => await deleteOldRuns(db, new Date()),
      schedule: '27 4 * * *'
    },
    {
      name: 'extend-series',
      run: async (db, _payload, stopping) => await extendSeries(db, new Date(), stopping),
      schedule: '11 3 * * *'
    },
    {
      name: 'store-event-uids',
      run: async db => {
        // Without PUBLIC_URL the host is that of each request.
        if (settings.publicUrl !== undefined) await storeUids(db, buildUidHost(settings.publicUrl))
      },
      schedule: '41 * * * *'
    },
    {
      name: notifyJob,
      run: async db => await notifyEditors(db, settings, new Date()),
      schedule: '*/10 * * * *'
    },
    {
      name: 'delete-old-suggestions',
      run: async db => await deleteOldSuggestions(db, settings, new Date()),
      schedule: '53 * * * *'
    }
  ]
}
