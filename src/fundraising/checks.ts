import type { Database } from '#platform/database.ts'
import { toAmount } from './money.ts'
import * as totals from './totals/queries.ts'

/** What `doctor` looks at: answers what is wrong, a line each. */
export const fundraisingChecks: { name: string; run(db: Database): Promise<string[]> }[] = [
  {
    name: 'totals of campaigns are the sums of their donations',
    run: async db =>
      (await totals.listDifferences(db)).map(
        difference =>
          `campaign ${difference.campaignId}: donated ${toAmount(difference.donatedCents)} too much, ` +
          `transferred ${toAmount(difference.transferredCents)} too much, ${difference.donationCount} donations too many`
      )
  },
  {
    name: 'every donation belongs to a campaign',
    run: async db => {
      const orphans = await totals.countOrphans(db)
      return orphans === 0 ? [] : [`${orphans} donations belong to no campaign`]
    }
  }
]
