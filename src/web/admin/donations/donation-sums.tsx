import type { DonationSummary } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { toCents } from '../shared/parse-amount.ts'
import { withStatus } from './donation-filter.ts'

/** Longer sums get a smaller font, so that they stay on one line. */
const sumLengthMax = 12

interface Sum {
  label: string
  statuses: DonationStatus[]
  /** In cents, to avoid rounding errors. */
  cents: number
  look?: string
  more?: string
}

/** Totals of all donations that match the filters, not only of this page. */
export function Sums({
  context,
  summary: { byStatus, waitingForReview }
}: {
  context: AdminContext
  summary: DonationSummary
}) {
  const { language, site } = context
  const strings = getMessages('donation', language).list
  const lengthOf = (sum: string) => (sum.length > sumLengthMax ? 'figure-value long' : 'figure-value')
  const format = (cents: number) => formatMoney(language, site.currency, cents / 100, true)
  const heldSum = formatMoney(language, site.currency, waitingForReview.amount, true)
  const promised = (...statuses: DonationStatus[]) =>
    statuses.reduce((all, one) => all + toCents(byStatus[one].amount), 0)
  const inPart = toCents(byStatus.IN_PROCESS.received)
  const lost: DonationStatus[] = ['CANCELLED', 'FAILED', 'REFUNDED']
  const sums: Sum[] = [
    {
      label: strings.donated,
      statuses: ['IN_PROCESS', 'TRANSFERRED'],
      cents: promised('IN_PROCESS', 'TRANSFERRED')
    },
    {
      label: strings.received,
      statuses: ['TRANSFERRED'],
      cents: toCents(byStatus.TRANSFERRED.received) + inPart,
      ...(inPart === 0 ? {} : { more: strings.receivedInPart({ amount: format(inPart) }) })
    },
    { label: strings.waiting, statuses: ['IN_PROCESS'], cents: promised('IN_PROCESS') - inPart, look: 'open' },
    { label: strings.lost, statuses: lost, cents: promised(...lost), look: 'lost' }
  ]
  return (
    <section aria-label={strings.totals}>
      <ul class="figures sums">
        {sums.map(({ label, statuses, cents, look = '', more }) => {
          const sum = format(cents)
          const count = statuses.reduce((all, one) => all + byStatus[one].count, 0)
          return (
            <li key={label} class={`figure-card ${count === 0 ? '' : look}`}>
              <p class="figure-label">
                <a href={withStatus(context, statuses)}>{label}</a>
              </p>
              <p class={lengthOf(sum)}>{sum}</p>
              <p class="figure-hint">
                {strings.donations({ count })}
                {more === undefined ? null : `; ${more}`}
              </p>
            </li>
          )
        })}
        {waitingForReview.count === 0 ? null : (
          <li class="figure-card open">
            <p class="figure-label">
              <a href={withQuery(context.path, { ...context.query, page: undefined, review: 'waiting' })}>
                {getMessages('abuse-protection', language).review.waiting}
              </a>
            </p>
            <p class={lengthOf(heldSum)}>{heldSum}</p>
            <p class="figure-hint">{strings.donations({ count: waitingForReview.count })}</p>
          </li>
        )}
      </ul>
    </section>
  )
}
