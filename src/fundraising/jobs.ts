import type { Job } from '#platform/jobs.ts'
import { foldTotals } from './totals/totals.ts'

export const fundraisingJobs: Job[] = [{ name: 'fold-totals', run: foldTotals, schedule: '* * * * *' }]
