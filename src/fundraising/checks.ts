import { bankData } from '#platform/banks.ts'
import { brokenByUs, type Check } from '#platform/check.ts'
import * as collections from './direct-debit/collections/queries.ts'
import { toAmount } from './money.ts'
import * as receipts from './receipts/queries.ts'
import { listMarked } from './sample-marks.ts'
import * as sampleContent from './sample-queries.ts'
import * as statements from './statements/queries.ts'
import * as totals from './totals/queries.ts'

/** What `doctor` looks at. */
export const fundraisingChecks: Check[] = [
  {
    name: 'totals of campaigns are the sums of their donations',
    remedy: brokenByUs,
    run: async db =>
      (await totals.listDifferences(db)).map(
        difference =>
          `campaign ${difference.campaignId}: donated ${toAmount(difference.donatedCents)} too much, ` +
          `transferred ${toAmount(difference.transferredCents)} too much, ${difference.donationCount} donations too many`
      )
  },
  {
    name: 'every donation belongs to a campaign',
    remedy: brokenByUs,
    run: async db => {
      const orphans = await totals.countOrphans(db)
      return orphans === 0 ? [] : [`${orphans} donations belong to no campaign`]
    }
  },
  {
    name: 'notes and histories belong to donations, and every donation has a history',
    remedy: brokenByUs,
    run: async db => {
      const strays = await totals.countStrays(db)
      return Object.entries(strays).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
    }
  },
  {
    name: 'entries of bank statements are booked for donations that there are, and each donation by one of them',
    remedy: brokenByUs,
    run: async db => {
      const faults = await statements.countFaults(db)
      return Object.entries(faults).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
    }
  },
  {
    name: 'collections are the sums of what is in them',
    remedy: brokenByUs,
    run: async db =>
      (await collections.listDifferences(db)).map(
        ({ id, count, amountCents }) => `collection ${id}: ${count} donations and ${toAmount(amountCents)} EUR too much`
      )
  },
  bankDataCheck(),
  {
    name: 'receipts are numbered without gaps',
    remedy: brokenByUs,
    run: async db =>
      (await receipts.listGaps(db)).map(({ year, last, count }) => `${year}: ${last} numbers, ${count} receipts`)
  },
  {
    name: 'receipts certify money that is there',
    remedy: 'Withdraw them in the console, and issue others where something is left to certify.',
    run: async db => (await receipts.listUnfounded(db)).map(({ number }) => `receipt ${number}`)
  },
  {
    name: 'no receipt certifies sample content',
    remedy: 'Withdraw them in the console, then remove the sample content: kalends seed --remove.',
    run: async db =>
      (await sampleContent.listReceipts(db, await listMarked(db))).map(({ number }) => `receipt ${number}`)
  }
]

/** What the forms say of a bank is as old as the program is. */
export function bankDataCheck(now = () => new Date()): Check {
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
