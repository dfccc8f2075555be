import type { DonationStatus } from '#fundraising/donations/schema.ts'
import type { LedgerSummary } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { counted, money } from '../../format.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import type { Desk } from '../console.ts'
import { withStatus } from './donation-filter.ts'

/** What is longer is written smaller, so that it stays in one line. */
const sumLengthMax = 12

/** Sums of all that the filters leave, not only of this page. */
export function Sums({ desk, summary: { byStatus, waitingForReview } }: { desk: Desk; summary: LedgerSummary }) {
  const { language, site } = desk
  const words = moneyWords[language].list
  const lengthOf = (sum: string) => (sum.length > sumLengthMax ? 'figure-value long' : 'figure-value')
  const heldSum = money(language, site.currency, waitingForReview.amount, true)
  const figures: [string, DonationStatus[], string][] = [
    [words.donated, ['IN_PROCESS', 'TRANSFERRED'], ''],
    [words.received, ['TRANSFERRED'], ''],
    [words.waiting, ['IN_PROCESS'], 'open'],
    [words.lost, ['CANCELLED', 'FAILED', 'REFUNDED'], 'lost']
  ]
  return (
    <section aria-label={words.totals}>
      <ul class="figures sums">
        {figures.map(([label, statuses, look]) => {
          // In cents, as sums of decimals drift.
          const cents = statuses.reduce((all, one) => all + Math.round(byStatus[one].amount * 100), 0)
          const sum = money(language, site.currency, cents / 100, true)
          const count = statuses.reduce((sum, one) => sum + byStatus[one].count, 0)
          return (
            <li key={label} class={`figure-card ${count === 0 ? '' : look}`}>
              <p class="figure-label">
                <a href={withStatus(desk, statuses)}>{label}</a>
              </p>
              <p class={lengthOf(sum)}>{sum}</p>
              <p class="figure-hint">{counted(language, count, ...words.donations)}</p>
            </li>
          )
        })}
        {waitingForReview.count === 0 ? null : (
          <li class="figure-card open">
            <p class="figure-label">
              <a href={withQuery(desk.path, { ...desk.query, page: undefined, review: 'waiting' })}>
                {guardWords[language].review.waiting}
              </a>
            </p>
            <p class={lengthOf(heldSum)}>{heldSum}</p>
            <p class="figure-hint">{counted(language, waitingForReview.count, ...words.donations)}</p>
          </li>
        )}
      </ul>
    </section>
  )
}
