import type { ComponentChildren } from 'preact'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { BarChart } from '../../components/bar-chart.tsx'
import { DateBadge } from '../../components/date-badge.tsx'
import {
  formatCount,
  formatDay,
  formatMoney,
  formatNumber,
  formatRelativeTime,
  formatShortDay,
  formatTime
} from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { getDonationPath, getStepPath } from '../donations/links/paths.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { toCents } from '../shared/parse-amount.ts'
import type { Overview } from './dashboard.tsx'
import { type DashboardStrings, dashboardStrings } from './strings.ts'

type Money = NonNullable<Overview['money']>

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
  const strings = dashboardStrings[context.language]
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

function buildStats(context: AdminContext, overview: Overview, strings: DashboardStrings): Stat[] {
  const { language, site } = context
  const stats: Stat[] = []
  if (overview.money !== undefined) {
    const { month, pledged, from } = overview.money
    const { IN_PROCESS: open, TRANSFERRED: complete } = month.byStatus
    const { IN_PROCESS: promised } = pledged.byStatus
    const [one, many] = strings.donations
    const receivedCents = (month.byDay ?? []).reduce((sum, { received }) => sum + toCents(received), 0)
    const missingCents = toCents(promised.amount) - toCents(promised.received)
    stats.push({
      label: strings.receivedMonth,
      value: formatMoney(language, site.currency, Math.round(receivedCents / 100)),
      hint: strings.promisedMonth(
        formatMoney(language, site.currency, Math.round(open.amount + complete.amount)),
        formatCount(language, open.count + complete.count, one, many)
      ),
      href: withQuery('/admin/donations', { from })
    })
    stats.push({
      label: strings.pledges,
      value: formatMoney(language, site.currency, Math.round(missingCents / 100)),
      hint: strings.pledged(formatCount(language, promised.count, one, many)),
      href: withQuery('/admin/donations', { status: 'IN_PROCESS' }),
      isOpen: promised.count > 0
    })
  }
  const [first] = overview.upcoming
  stats.push({
    label: strings.upcoming,
    value: formatNumber(language, overview.upcomingTotal),
    hint: first === undefined ? strings.upcomingHint : strings.nextOn(formatShortDay(language, first.start_date)),
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

function buildCampaignStat({ language, site }: AdminContext, { campaigns }: Overview, strings: DashboardStrings): Stat {
  const open = campaigns.filter(({ status }) => status === 'open')
  const collected = open
    .filter(({ currency }) => currency === site.currency)
    .reduce((sum, { amountDonatedSoFar }) => sum + amountDonatedSoFar, 0)
  return {
    label: strings.openCampaigns,
    value: formatNumber(language, open.length),
    hint: strings.collected(formatMoney(language, site.currency, Math.round(collected))),
    href: '/admin/campaigns'
  }
}

function Part({
  id,
  title,
  more,
  children,
  look = ''
}: {
  id: string
  title: string
  more?: ComponentChildren
  children: ComponentChildren
  look?: string
}) {
  return (
    <section class={`card part ${look}`} aria-labelledby={id}>
      <div class="part-head">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  )
}

export function DonationsPerDay({
  context,
  money: { month, from },
  today
}: {
  context: AdminContext
  money: Money
  today: string
}) {
  const { language, site } = context
  const strings = dashboardStrings[language]
  const days = month.byDay ?? []
  const [one, many] = strings.donations
  const amountOf = (amount: number) => formatMoney(language, site.currency, amount)
  return (
    <Part id="per-day" title={strings.perDay} look="part-wide">
      {days.every(({ count, received }) => count === 0 && received === 0) ? (
        <p class="faded">{strings.perDayNone}</p>
      ) : (
        <BarChart
          language={language}
          caption={strings.perDayOf(formatDay(language, from), formatDay(language, today))}
          columns={[strings.day, strings.received, strings.promised]}
          tableLabel={strings.asTable}
          scale={amountOf}
          bars={days.map(({ date, count, amount, received }) => ({
            label: formatShortDay(language, date),
            title: strings.dayOf(
              formatShortDay(language, date),
              amountOf(received),
              amountOf(amount),
              formatCount(language, count, one, many)
            ),
            value: received,
            shown: formatMoney(language, site.currency, received, true),
            more: formatMoney(language, site.currency, amount, true)
          }))}
        />
      )}
    </Part>
  )
}

/** Promised donations without payment, each with the form that records one. */
export function Waiting({
  context,
  money: ofMoney,
  campaigns
}: {
  context: AdminContext
  money: Money
  campaigns: Campaign[]
}) {
  const { language, now } = context
  const { waiting, waitingTotal } = ofMoney
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  const strings = dashboardStrings[language]
  const more =
    waitingTotal > waiting.length ? (
      <a href={withQuery('/admin/donations', { status: 'IN_PROCESS' })}>{strings.allWaiting}</a>
    ) : null
  return (
    <Part id="waiting" title={strings.waiting} more={more}>
      {waiting.length === 0 ? (
        <p class="faded">{strings.waitingNone}</p>
      ) : (
        <ul class="lines">
          {waiting.map(donation => {
            const name = donation.donorName ?? strings.anonymous
            const amount = formatMoney(language, donation.currency, donation.amount, true)
            const isPart = donation.amountReceived > 0
            const received = formatMoney(language, donation.currency, donation.amountReceived, true)
            return (
              <li key={donation.id} class="line">
                <div class="line-main">
                  <p class="line-title">
                    {donation.campaignDeleted ? (
                      <a href={withQuery('/admin/donations', { search: donation.reference })}>{name}</a>
                    ) : (
                      <a href={getDonationPath(donation)}>{name}</a>
                    )}
                  </p>
                  <p class="line-hint">
                    <span class="line-of">{nameOfCampaign(donation.campaignId) ?? donation.campaignName}</span>
                    <span class="nowrap">{donation.reference}</span>
                    {' · '}
                    <time dateTime={donation.createdAt}>{formatRelativeTime(language, donation.createdAt, now)}</time>
                  </p>
                </div>
                <p class="line-amount">
                  {amount}
                  {isPart ? <span class="below">{strings.partReceived(received)}</span> : null}
                </p>
                {donation.campaignDeleted ? null : (
                  <a
                    class="button small quiet"
                    href={getStepPath(donation, 'TRANSFERRED', 'dashboard')}
                    aria-label={strings.receivedLabel(amount, name)}
                  >
                    {strings.received}
                  </a>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Part>
  )
}

export function NextEvents({ context, overview }: { context: AdminContext; overview: Overview }) {
  const { language } = context
  const strings = dashboardStrings[language]
  const maySeeList = context.hasRole('editor', 'viewer')
  const more = maySeeList && overview.upcoming.length > 0 ? <a href="/admin/events">{strings.allEvents}</a> : null
  return (
    <Part id="next-events" title={strings.next} more={more}>
      {overview.upcoming.length === 0 ? (
        <p class="faded part-empty">
          <span>{strings.nextNone}</span>
          {context.hasRole('editor') ? (
            <a class="button small" href="/admin/events/new">
              {strings.newEvent}
            </a>
          ) : null}
        </p>
      ) : (
        <ul class="lines">
          {overview.upcoming.map(event => (
            <li key={event.id} class="line">
              <DateBadge language={language} date={event.start_date} />
              <div class="line-main">
                <p class="line-title" lang={event.language}>
                  {context.hasRole('editor') ? (
                    <a href={`/admin/events/${event.id}`}>{event.title}</a>
                  ) : (
                    <a href={getPath('event', event.language, event.slug)}>{event.title}</a>
                  )}
                </p>
                <p class="line-hint">{formatTimeAndPlace(event, context, strings)}</p>
                <EventBadges context={context} event={event} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function formatTimeAndPlace(event: CalendarEvent, { language }: AdminContext, strings: DashboardStrings): string {
  const when = event.all_day === true ? strings.allDay : formatTime(event.start_date)
  const where = getVenues(event)
    .map(({ venue }) => venue)
    .filter(name => name !== undefined && name !== '')
  return [`${formatShortDay(language, event.start_date)}, ${when}`, ...where].join(' · ')
}

function EventBadges({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const strings = dashboardStrings[context.language]
  const missing = context.site.languages.filter(language => !event.translations.includes(language))
  if (missing.length === 0 && (event.event_status ?? 'scheduled') === 'scheduled') return null
  return (
    <p class="badges">
      {event.event_status === 'canceled' ? <span class="badge bad">{strings.cancelled}</span> : null}
      {event.event_status === 'postponed' ? <span class="badge warn">{strings.postponed}</span> : null}
      {missing.map(language => (
        <span key={language} class="badge warn">
          {strings.missing[language]}
        </span>
      ))}
    </p>
  )
}

/** Set-up checklist of a new site; disappears when every step that can be checked is done. */
export function Checklist({ context, overview }: { context: AdminContext; overview: Overview }) {
  const strings = dashboardStrings[context.language].checklist
  const steps = [
    { label: strings.event, href: '/admin/events/new', isDone: overview.hasEvents },
    { label: strings.campaign, href: '/admin/campaigns/new', isDone: overview.campaigns.length > 0 },
    { label: strings.phone, href: getPath('feeds', context.language), isDone: false },
    ...(overview.people === undefined
      ? []
      : [{ label: strings.people, href: '/admin/invitations/new', isDone: overview.people > 1 }])
  ]
  if (steps.every(({ isDone, label }) => isDone || label === strings.phone)) return null
  return (
    <section class="card checklist" aria-labelledby="checklist">
      <div class="part-head">
        <h2 id="checklist">{strings.title}</h2>
        <ActionButton context={context} action="/admin/checklist" label={strings.hide} look="link" />
      </div>
      <ul>
        {steps.map(({ label, href, isDone }) => (
          <li key={label} class={isDone ? 'done' : undefined}>
            <span class="tick" aria-hidden="true">
              {isDone ? '✓' : ''}
            </span>
            {isDone ? (
              <span>
                {label} <span class="visually-hidden">({strings.done})</span>
              </span>
            ) : (
              <a href={href}>{label}</a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function SampleCard({ context }: { context: AdminContext }) {
  const strings = dashboardStrings[context.language].sample
  return (
    <section class="card sample-card" aria-labelledby="sample">
      <h2 id="sample">{strings.title}</h2>
      <p>{strings.text}</p>
      <ActionButton context={context} action="/admin/sample-content" label={strings.action} look="" />
    </section>
  )
}
