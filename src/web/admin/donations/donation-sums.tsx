import type { DonationStatus } from '#fundraising/donations/schema.ts'
import type { LedgerSummary } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { counted, money } from '../../format.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import type { Desk } from '../console.ts'
import { toCents } from '../typed-amount.ts'
import { withStatus } from './donation-filter.ts'

/** What is longer is written smaller, so that it stays in one line. */
const sumLengthMax = 12

interface Figure {
  label: string
  statuses: DonationStatus[]
  /** In cents, as sums of decimals drift. */
  cents: number
  look?: string
  more?: string
}

/** Sums of all that the filters leave, not only of this page. */
export function Sums({ desk, summary: { byStatus, waitingForReview } }: { desk: Desk; summary: LedgerSummary }) {
  const { language, site } = desk
  const words = moneyWords[language].list
  const lengthOf = (sum: string) => (sum.length > sumLengthMax ? 'figure-value long' : 'figure-value')
  const format = (cents: number) => money(language, site.currency, cents / 100, true)
  const heldSum = money(language, site.currency, waitingForReview.amount, true)
  const promised = (...statuses: DonationStatus[]) =>
    statuses.reduce((all, one) => all + toCents(byStatus[one].amount), 0)
  const inPart = toCents(byStatus.IN_PROCESS.received)
  const lost: DonationStatus[] = ['CANCELLED', 'FAILED', 'REFUNDED']
  const figures: Figure[] = [
    {
      label: words.donated,
      statuses: ['IN_PROCESS', 'TRANSFERRED'],
      cents: promised('IN_PROCESS', 'TRANSFERRED')
    },
    {
      label: words.received,
      statuses: ['TRANSFERRED'],
      cents: toCents(byStatus.TRANSFERRED.received) + inPart,
      ...(inPart === 0 ? {} : { more: words.receivedInPart(format(inPart)) })
    },
    { label: words.waiting, statuses: ['IN_PROCESS'], cents: promised('IN_PROCESS') - inPart, look: 'open' },
    { label: words.lost, statuses: lost, cents: promised(...lost), look: 'lost' }
  ]
  return (
    <section aria-label={words.totals}>
      <ul class="figures sums">
        {figures.map(({ label, statuses, cents, look = '', more }) => {
          const sum = format(cents)
          const count = statuses.reduce((all, one) => all + byStatus[one].count, 0)
          return (
            <li key={label} class={`figure-card ${count === 0 ? '' : look}`}>
              <p class="figure-label">
                <a href={withStatus(desk, statuses)}>{label}</a>
              </p>
              <p class={lengthOf(sum)}>{sum}</p>
              <p class="figure-hint">
                {counted(language, count, ...words.donations)}
                {more === undefined ? null : `; ${more}`}
              </p>
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
