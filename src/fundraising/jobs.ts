import type { Settings } from '#platform/config.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { endExpiredRequests } from './account-requests/account-request.ts'
import { newFoldJob } from './campaigns/totals/totals.ts'
import { deleteExpiredProofs } from './donations/abuse-protection/abuse-protection.ts'
import { letterRunJob, processLetterRun } from './donors/letter/letter.ts'
import { linkDonors } from './donors/linking/link-donors.ts'
import { rotateKeys } from './encryption/rotate.ts'
import { eraseExpiredDonors } from './gdpr/retention.ts'
import { eraseOldReceipts } from './gdpr/sources/receipts.ts'
import { issueReceiptsJob, processRuns } from './receipts/runs/receipt-run.ts'

export function createFundraisingJobs(settings: Settings): Job[] {
  return [
    { name: 'fold-totals', run: newFoldJob(), schedule: '* * * * *' },
    { name: 'end-account-requests', run: async db => await endExpiredRequests(db), schedule: '27 * * * *' },
    {
      name: 'delete-expired-proofs',
      formerName: 'forget-proofs',
      run: deleteExpiredProofs,
      schedule: '17 * * * *'
    },
    {
      name: 'rotate-keys',
      formerName: 'seal-accounts',
      run: async (db, _payload, stopping) => void (await rotateKeys(db, settings, stopping)),
      schedule: '*/5 * * * *'
    },
    {
      name: 'erase-expired-donors',
      formerName: 'forget-donors',
      run: async (db, _payload, stopping) => void (await eraseExpiredDonors(db, settings, { stopping })),
      schedule: '17 3 * * *'
    },
    {
      name: 'link-donors',
      run: async (db, _payload, stopping) => void (await linkDonors(db, settings, { stopping, isPaced: true })),
      schedule: '* * * * *'
    },
    {
      name: letterRunJob,
      run: async (db, payload, stopping) => await processLetterRun(db, settings, payload, stopping)
    },
    {
      name: issueReceiptsJob,
      run: async (db, _payload, stopping) => await processRuns(db, settings, stopping),
      // Picks up runs whose process died.
      schedule: '* * * * *'
    },
    {
      name: 'erase-old-receipts',
      formerName: 'forget-receipts',
      run: async (db, _payload, stopping) => void (await eraseOldReceipts(db, { stopping })),
      schedule: '47 3 * * *'
    }
  ]
}
