import { bankData } from '#platform/banking/banks.ts'
import { type Check, reportAsBug } from '#platform/doctor/check.ts'
import * as totals from './campaigns/totals/queries.ts'
import * as payments from './donations/payments/integrity-queries.ts'
import { toAmount } from './money/money.ts'
import * as collections from './payments/direct-debit/collections/queries.ts'
import * as statements from './payments/statements/queries.ts'
import * as claims from './receipts/claims.ts'
import * as receipts from './receipts/queries.ts'
import { listSamples } from './sample-donations.ts'
import * as sampleContent from './seed/sample-queries.ts'

export const fundraisingChecks: Check[] = [
  {
    name: 'campaign totals equal the sums of donations',
    remedy: reportAsBug,
    run: async db =>
      (await totals.listDifferences(db)).map(
        difference =>
          `campaign ${difference.campaignId}: donated ${toAmount(difference.donatedCents)} too much, ` +
          `transferred ${toAmount(difference.transferredCents)} too much, ${difference.donationCount} donations too many`
      )
  },
  {
    name: 'every donation belongs to a campaign',
    remedy: reportAsBug,
    run: async db => {
      const orphans = await totals.countOrphans(db)
      return orphans === 0 ? [] : [`${orphans} donations belong to no campaign`]
    }
  },
  {
    name: 'notes and status histories belong to donations, and every donation has a history',
    remedy: reportAsBug,
    run: async db => formatCounts(await totals.countStrays(db))
  },
  {
    name: 'amounts received equal the sums of payments',
    remedy: reportAsBug,
    run: async db =>
      (await payments.listWrongSums(db)).map(
        ({ id, shownCents, paidCents }) =>
          `donation ${id}: ${toAmount(shownCents)} received, payments of ${toAmount(paidCents)}, or another day`
      )
  },
  {
    name: 'donation statuses match their payments',
    remedy: 'Open them in the console: accept the amount received, undo the change, or record the missing payment.',
    run: async db =>
      (await payments.listWrongStatuses(db)).map(
        ({ id, status, amountCents, receivedCents }) =>
          `donation ${id}: ${status}, ${toAmount(receivedCents)} of ${toAmount(amountCents)} received`
      )
  },
  {
    name: 'payments belong to donations, and refunds to payments',
    remedy: reportAsBug,
    run: async db => formatCounts(await payments.countViolations(db))
  },
  {
    name: 'no payment has a date in the future',
    remedy: 'Undo them in the console, and record them with the correct date.',
    run: async db =>
      (await payments.listInFuture(db)).map(({ donationId, receivedOn }) => `donation ${donationId}: ${receivedOn}`)
  },
  {
    name: 'amounts and dates of payments are known',
    isWarning: true,
    remedy:
      'They predate payment records: the pledged amount and the booking date are assumed. Compare with the ' +
      'bank statements; undo and record again what is wrong.',
    run: async db =>
      (await payments.listAssumed(db)).map(
        ({ campaignId, donationId, amountCents, receivedOn }) =>
          `campaign ${campaignId}, donation ${donationId}: ${toAmount(amountCents)} on ${receivedOn}`
      )
  },
  {
    name: 'bank transactions equal the sums of their payments',
    remedy: reportAsBug,
    run: async db => formatCounts(await statements.countViolations(db))
  },
  {
    name: 'direct debit batches equal the sums of their donations',
    remedy: reportAsBug,
    run: async db =>
      (await collections.listDifferences(db)).map(
        ({ id, count, amountCents }) =>
          `direct debit batch ${id}: ${count} donations and ${toAmount(amountCents)} EUR too much`
      )
  },
  createBankDataCheck(),
  {
    name: 'receipts are numbered without gaps',
    remedy: reportAsBug,
    run: async db =>
      (await receipts.listGaps(db)).map(({ year, last, count }) => `${year}: ${last} numbers, ${count} receipts`)
  },
  {
    name: 'receipts certify received payments',
    remedy: 'Withdraw them in the console, and issue new ones for the remaining payments.',
    run: async db =>
      (await receipts.listUnfounded(db)).map(
        ({ number, amountCents, paidCents }) =>
          `receipt ${number}: certifies ${toAmount(amountCents)}, payments of ${toAmount(paidCents)} exist`
      )
  },
  {
    name: 'collective receipts of a donor do not overlap',
    remedy: 'Withdraw one of them in the console, and issue a new one for the remaining period.',
    run: async db =>
      (await claims.listOverlaps(db)).map(({ number, otherNumber }) => `receipts ${number} and ${otherNumber}`)
  },
  {
    name: 'no receipt certifies sample content',
    remedy: 'Withdraw them in the console, then delete the sample content: kalends seed --remove.',
    run: async db =>
      (await sampleContent.listReceipts(db, await listSamples(db))).map(({ number }) => `receipt ${number}`)
  }
]

function formatCounts(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
}

/** Bank names ship with the release, so they are as old as the installed version. */
export function createBankDataCheck(now = () => new Date()): Check {
  return {
    name: 'bank data is up to date',
    isWarning: true,
    remedy:
      'Update Kalends: bank data changes every three months. Until then some bank names and BICs may be outdated.',
    run: async () =>
      now().toISOString().slice(0, 10) > bankData.validUntil ? [`bank data was valid until ${bankData.validUntil}`] : []
  }
}
