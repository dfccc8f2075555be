import type { Settings } from '#platform/config.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { buildUidHost, storeUids } from './events/feeds/queries.ts'
import { deleteOldImports, importJob } from './imports/import.ts'
import { runImports } from './imports/runner/run.ts'
import { extendSeries } from './series/extend.ts'

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
    }
  ]
}
