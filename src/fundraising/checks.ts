import { brokenByUs, type Check } from '#platform/check.ts'
import { toAmount } from './money.ts'
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
  }
]
