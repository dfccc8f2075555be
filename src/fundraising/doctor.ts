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
    name: 'totals of campaigns are the sums of their donations',
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
    name: 'notes and histories belong to donations, and every donation has a history',
    remedy: reportAsBug,
    run: async db => formatCounts(await totals.countStrays(db))
  },
  {
    name: 'what donations have received is the sum of their payments',
    remedy: reportAsBug,
    run: async db =>
      (await payments.listWrongSums(db)).map(
        ({ id, shownCents, paidCents }) =>
          `donation ${id}: ${toAmount(shownCents)} received, payments of ${toAmount(paidCents)}, or another day`
      )
  },
  {
    name: 'the status of donations is what their money makes of it',
    remedy: 'Open them in the console: accept the sum that came, take the change back, or record what is missing.',
    run: async db =>
      (await payments.listWrongStatuses(db)).map(
        ({ id, status, amountCents, receivedCents }) =>
          `donation ${id}: ${status}, ${toAmount(receivedCents)} of ${toAmount(amountCents)} received`
      )
  },
  {
    name: 'payments belong to donations, and what went back had arrived',
    remedy: reportAsBug,
    run: async db => formatCounts(await payments.countViolations(db))
  },
  {
    name: 'no payment was recorded for a day that is still to come',
    remedy: 'Take them back in the console, and record them with the right day.',
    run: async db =>
      (await payments.listInFuture(db)).map(({ donationId, receivedOn }) => `donation ${donationId}: ${receivedOn}`)
  },
  {
    name: 'amounts and days of payments are known',
    isWarning: true,
    remedy:
      'They were booked before payments were recorded: the promised amount and the day of the booking are assumed. Compare with the ' +
      'bank statements; take back and record again what is wrong.',
    run: async db =>
      (await payments.listAssumed(db)).map(
        ({ campaignId, donationId, amountCents, receivedOn }) =>
          `campaign ${campaignId}, donation ${donationId}: ${toAmount(amountCents)} on ${receivedOn}`
      )
  },
  {
    name: 'entries of bank statements are the sum of the payments that they are booked for',
    remedy: reportAsBug,
    run: async db => formatCounts(await statements.countViolations(db))
  },
  {
    name: 'collections are the sums of what is in them',
    remedy: reportAsBug,
    run: async db =>
      (await collections.listDifferences(db)).map(
        ({ id, count, amountCents }) => `collection ${id}: ${count} donations and ${toAmount(amountCents)} EUR too much`
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
    name: 'receipts certify money that is there',
    remedy: 'Withdraw them in the console, and issue others where something is left to certify.',
    run: async db =>
      (await receipts.listUnfounded(db)).map(
        ({ number, amountCents, paidCents }) =>
          `receipt ${number}: certifies ${toAmount(amountCents)}, payments of ${toAmount(paidCents)} are there`
      )
  },
  {
    name: 'no two collective receipts to a donor claim the same day',
    remedy: 'Withdraw one of them in the console, and issue another for the days that are left.',
    run: async db =>
      (await claims.listOverlaps(db)).map(({ number, otherNumber }) => `receipts ${number} and ${otherNumber}`)
  },
  {
    name: 'no receipt certifies sample content',
    remedy: 'Withdraw them in the console, then remove the sample content: kalends seed --remove.',
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
    name: 'names of banks are up to date',
    isWarning: true,
    remedy: 'Update Kalends: banks change every three months. Until then some names and BICs may be those of before.',
    run: async () =>
      now().toISOString().slice(0, 10) > bankData.validUntil
        ? [`they were meant for the time until ${bankData.validUntil}`]
        : []
  }
}
