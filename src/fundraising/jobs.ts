import type { Settings } from '#platform/config.ts'
import type { Job } from '#platform/jobs.ts'
import { endExpiredRequests } from './account-requests/account-request.ts'
import { forgetProofs } from './guard/guard.ts'
import { runJob, workOnRuns } from './receipt-runs/receipt-run.ts'
import { forgetOldReceipts } from './receipts/personal.ts'
import { forgetDonors } from './retention.ts'
import { sealAccounts } from './sealing/sealing.ts'
import { newFolding } from './totals/totals.ts'

export function fundraisingJobs(settings: Settings): Job[] {
  return [
    { name: 'fold-totals', run: newFolding(), schedule: '* * * * *' },
    { name: 'end-account-requests', run: async db => await endExpiredRequests(db), schedule: '27 * * * *' },
    { name: 'forget-proofs', run: forgetProofs, schedule: '17 * * * *' },
    {
      name: 'seal-accounts',
      run: async (db, _payload, stopping) => void (await sealAccounts(db, settings, stopping)),
      schedule: '*/5 * * * *'
    },
    {
      name: 'forget-donors',
      run: async (db, _payload, stopping) => void (await forgetDonors(db, settings, { stopping })),
      schedule: '17 3 * * *'
    },
    {
      name: runJob,
      run: async (db, _payload, stopping) => await workOnRuns(db, settings, stopping),
      // For those that a process left behind.
      schedule: '* * * * *'
    },
    {
      name: 'forget-receipts',
      run: async (db, _payload, stopping) => void (await forgetOldReceipts(db, { stopping })),
      schedule: '47 3 * * *'
    }
  ]
}
