import { forgetOldCounts } from './counters.ts'
import { forgetOldDeliveries } from './courier/courier.ts'
import { forgetOldAnswers } from './idempotency.ts'
import type { Job } from './jobs.ts'

export const platformJobs: Job[] = [
  { name: 'forget-old-answers', run: async db => await forgetOldAnswers(db, new Date()), schedule: '17 * * * *' },
  { name: 'forget-old-deliveries', run: async db => await forgetOldDeliveries(db, new Date()), schedule: '37 * * * *' },
  { name: 'forget-old-counts', run: forgetOldCounts, schedule: '*/5 * * * *' }
]
