import type { Settings } from '#platform/config.ts'
import type { Job } from '#platform/jobs.ts'
import { forgetImports, importJob } from './imports/import.ts'
import { runImports } from './imports/running/run.ts'

export function calendarJobs(settings: Settings): Job[] {
  return [
    {
      name: importJob,
      run: async (db, _payload, stopping) => await runImports(db, settings, stopping),
      // For those that a process left behind.
      schedule: '* * * * *'
    },
    { name: 'forget-imports', run: async db => await forgetImports(db, new Date()), schedule: '23 4 * * *' }
  ]
}
