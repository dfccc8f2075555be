import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber, formatShortDay } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { toCents } from '../shared/parse-amount.ts'
import type { Overview } from './dashboard.tsx'

export type Money = NonNullable<Overview['money']>

/** Longer figures get a smaller font, so that they stay on one line. */
const statLengthMax = 10

interface Stat {
  label: string
  value: string
  hint: string
  href?: string | undefined
  /** Action is required. */
  isOpen?: boolean
}

/** Four key figures; which ones depends on the role. */
export function Stats({ context, overview }: { context: AdminContext; overview: Overview }) {
  const strings = getMessages('dashboard', context.language)
  return (
    <section aria-label={strings.numbers}>
      <ul class="figures">
        {buildStats(context, overview, strings).map(({ label, value, hint, href, isOpen }) => (
          <li key={label} class={isOpen === true ? 'figure-card open' : 'figure-card'}>
            <p class="figure-label">{href === undefined ? label : <a href={href}>{label}</a>}</p>
            <p class={value.length > statLengthMax ? 'figure-value long' : 'figure-value'}>{value}</p>
            <p class="figure-hint">{hint}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function buildStats(context: AdminContext, overview: Overview, strings: Messages<'dashboard'>): Stat[] {
  const { language, site } = context
  const stats: Stat[] = []
  if (overview.money !== undefined) {
    const { month, pledged, from } = overview.money
    const { IN_PROCESS: open, TRANSFERRED: complete } = month.byStatus
    const { IN_PROCESS: promised } = pledged.byStatus
    const receivedCents = (month.byDay ?? []).reduce((sum, { received }) => sum + toCents(received), 0)
    const missingCents = toCents(promised.amount) - toCents(promised.received)
    stats.push({
      label: strings.receivedMonth,
      value: formatMoney(language, site.currency, Math.round(receivedCents / 100)),
      hint: strings.promisedMonth({
        amount: formatMoney(language, site.currency, Math.round(open.amount + complete.amount)),
        donations: strings.donations({ count: open.count + complete.count })
      }),
      href: withQuery('/admin/donations', { from })
    })
    stats.push({
      label: strings.pledges,
      value: formatMoney(language, site.currency, Math.round(missingCents / 100)),
      hint: strings.pledged({ count: strings.donations({ count: promised.count }) }),
      href: withQuery('/admin/donations', { status: 'IN_PROCESS' }),
      isOpen: promised.count > 0
    })
  }
  const [first] = overview.upcoming
  stats.push({
    label: strings.upcoming,
    value: formatNumber(language, overview.upcomingTotal),
    hint:
      first === undefined ? strings.upcomingHint : strings.nextOn({ day: formatShortDay(language, first.start_date) }),
    href: context.hasRole('editor', 'viewer') ? '/admin/events' : undefined
  })
  if (overview.missing !== undefined) {
    const count = overview.missing.reduce((sum, { count: one }) => sum + one, 0)
    const [most] = overview.missing.toSorted((one, other) => other.count - one.count)
    stats.push({
      label: strings.untranslated,
      value: formatNumber(language, count),
      hint: count === 0 ? strings.allTranslated : strings.untranslatedHint,
      href: withQuery('/admin/events', { show: `without-${most?.language}` }),
      isOpen: count > 0
    })
  }
  if (stats.length < 4) stats.push(buildCampaignStat(context, overview, strings))
  return stats
}

function buildCampaignStat(
  { language, site }: AdminContext,
  { campaigns }: Overview,
  strings: Messages<'dashboard'>
): Stat {
  const open = campaigns.filter(({ status }) => status === 'open')
  const collected = open
    .filter(({ currency }) => currency === site.currency)
    .reduce((sum, { amountDonatedSoFar }) => sum + amountDonatedSoFar, 0)
  return {
    label: strings.openCampaigns,
    value: formatNumber(language, open.length),
    hint: strings.collected({ amount: formatMoney(language, site.currency, Math.round(collected)) }),
    href: '/admin/campaigns'
  }
}
