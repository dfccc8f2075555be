import type { ComponentChildren } from 'preact'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { withQuery } from '../../api.ts'
import { type CalendarEvent, venuesOf } from '../../calendar-api.ts'
import { ago, counted, money, number, plainDay, shortDay, timeOf } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { type DashboardWords, dashboardWords } from '../../text/dashboard.ts'
import { Bars } from '../../ui/bars.tsx'
import { DateLeaf } from '../../ui/date-leaf.tsx'
import type { Desk } from '../console.ts'
import { getDonationPath, getStepPath } from '../donations/addresses.ts'
import { Act } from '../form.tsx'
import { toCents } from '../typed-amount.ts'
import type { Overview } from './dashboard.tsx'

type Money = NonNullable<Overview['money']>

/** What is longer is written smaller, so that it stays in one line. */
const figureLengthMax = 10

interface Figure {
  label: string
  value: string
  hint: string
  href?: string | undefined
  /** Something is left to do. */
  isOpen?: boolean
}

/** The four numbers, for each role those that concern it. */
export function Figures({ desk, overview }: { desk: Desk; overview: Overview }) {
  const words = dashboardWords[desk.language]
  return (
    <section aria-label={words.numbers}>
      <ul class="figures">
        {figuresOf(desk, overview, words).map(({ label, value, hint, href, isOpen }) => (
          <li key={label} class={isOpen === true ? 'figure-card open' : 'figure-card'}>
            <p class="figure-label">{href === undefined ? label : <a href={href}>{label}</a>}</p>
            <p class={value.length > figureLengthMax ? 'figure-value long' : 'figure-value'}>{value}</p>
            <p class="figure-hint">{hint}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function figuresOf(desk: Desk, overview: Overview, words: DashboardWords): Figure[] {
  const { language, site } = desk
  const figures: Figure[] = []
  if (overview.money !== undefined) {
    const { month, pledged, from } = overview.money
    const { IN_PROCESS: open, TRANSFERRED: complete } = month.byStatus
    const { IN_PROCESS: promised } = pledged.byStatus
    const [one, many] = words.donations
    const receivedCents = (month.byDay ?? []).reduce((sum, { received }) => sum + toCents(received), 0)
    const missingCents = toCents(promised.amount) - toCents(promised.received)
    figures.push({
      label: words.receivedMonth,
      value: money(language, site.currency, Math.round(receivedCents / 100)),
      hint: words.promisedMonth(
        money(language, site.currency, Math.round(open.amount + complete.amount)),
        counted(language, open.count + complete.count, one, many)
      ),
      href: withQuery('/admin/donations', { from })
    })
    figures.push({
      label: words.pledges,
      value: money(language, site.currency, Math.round(missingCents / 100)),
      hint: words.pledged(counted(language, promised.count, one, many)),
      href: withQuery('/admin/donations', { status: 'IN_PROCESS' }),
      isOpen: promised.count > 0
    })
  }
  const [first] = overview.upcoming
  figures.push({
    label: words.upcoming,
    value: number(language, overview.upcomingTotal),
    hint: first === undefined ? words.upcomingHint : words.nextOn(shortDay(language, first.start_date)),
    href: desk.may('editor', 'viewer') ? '/admin/events' : undefined
  })
  if (overview.missing !== undefined) {
    const count = overview.missing.reduce((sum, { count: one }) => sum + one, 0)
    const [most] = overview.missing.toSorted((one, other) => other.count - one.count)
    figures.push({
      label: words.untranslated,
      value: number(language, count),
      hint: count === 0 ? words.allTranslated : words.untranslatedHint,
      href: withQuery('/admin/events', { show: `without-${most?.language}` }),
      isOpen: count > 0
    })
  }
  if (figures.length < 4) figures.push(campaignFigure(desk, overview, words))
  return figures
}

function campaignFigure({ language, site }: Desk, { campaigns }: Overview, words: DashboardWords): Figure {
  const open = campaigns.filter(({ status }) => status === 'open')
  const collected = open
    .filter(({ currency }) => currency === site.currency)
    .reduce((sum, { amountDonatedSoFar }) => sum + amountDonatedSoFar, 0)
  return {
    label: words.openCampaigns,
    value: number(language, open.length),
    hint: words.collected(money(language, site.currency, Math.round(collected))),
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

export function DonationsPerDay({ desk, money: { month, from }, today }: { desk: Desk; money: Money; today: string }) {
  const { language, site } = desk
  const words = dashboardWords[language]
  const days = month.byDay ?? []
  const [one, many] = words.donations
  const amountOf = (amount: number) => money(language, site.currency, amount)
  return (
    <Part id="per-day" title={words.perDay} look="part-wide">
      {days.every(({ count, received }) => count === 0 && received === 0) ? (
        <p class="faded">{words.perDayNone}</p>
      ) : (
        <Bars
          language={language}
          caption={words.perDayOf(plainDay(language, from), plainDay(language, today))}
          columns={[words.day, words.received, words.promised]}
          tableLabel={words.asTable}
          scale={amountOf}
          bars={days.map(({ date, count, amount, received }) => ({
            label: shortDay(language, date),
            title: words.dayOf(
              shortDay(language, date),
              amountOf(received),
              amountOf(amount),
              counted(language, count, one, many)
            ),
            value: received,
            shown: money(language, site.currency, received, true),
            more: money(language, site.currency, amount, true)
          }))}
        />
      )}
    </Part>
  )
}

/** Promises whose money has not been received, each with the form that records it. */
export function Waiting({ desk, money: ofMoney, campaigns }: { desk: Desk; money: Money; campaigns: Campaign[] }) {
  const { language, now } = desk
  const { waiting, waitingTotal } = ofMoney
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  const words = dashboardWords[language]
  const more =
    waitingTotal > waiting.length ? (
      <a href={withQuery('/admin/donations', { status: 'IN_PROCESS' })}>{words.allWaiting}</a>
    ) : null
  return (
    <Part id="waiting" title={words.waiting} more={more}>
      {waiting.length === 0 ? (
        <p class="faded">{words.waitingNone}</p>
      ) : (
        <ul class="lines">
          {waiting.map(donation => {
            const name = donation.donorName ?? words.anonymous
            const amount = money(language, donation.currency, donation.amount, true)
            const isPart = donation.amountReceived > 0
            const received = money(language, donation.currency, donation.amountReceived, true)
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
                    <time dateTime={donation.createdAt}>{ago(language, donation.createdAt, now)}</time>
                  </p>
                </div>
                <p class="line-amount">
                  {amount}
                  {isPart ? <span class="below">{words.partReceived(received)}</span> : null}
                </p>
                {donation.campaignDeleted ? null : (
                  <a
                    class="button small quiet"
                    href={getStepPath(donation, 'TRANSFERRED', 'dashboard')}
                    aria-label={words.receivedLabel(amount, name)}
                  >
                    {words.received}
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

export function NextEvents({ desk, overview }: { desk: Desk; overview: Overview }) {
  const { language } = desk
  const words = dashboardWords[language]
  const maySeeList = desk.may('editor', 'viewer')
  const more = maySeeList && overview.upcoming.length > 0 ? <a href="/admin/events">{words.allEvents}</a> : null
  return (
    <Part id="next-events" title={words.next} more={more}>
      {overview.upcoming.length === 0 ? (
        <p class="faded part-empty">
          <span>{words.nextNone}</span>
          {desk.may('editor') ? (
            <a class="button small" href="/admin/events/new">
              {words.newEvent}
            </a>
          ) : null}
        </p>
      ) : (
        <ul class="lines">
          {overview.upcoming.map(event => (
            <li key={event.id} class="line">
              <DateLeaf language={language} date={event.start_date} />
              <div class="line-main">
                <p class="line-title" lang={event.language}>
                  {desk.may('editor') ? (
                    <a href={`/admin/events/${event.id}`}>{event.title}</a>
                  ) : (
                    <a href={pathTo('event', event.language, event.slug)}>{event.title}</a>
                  )}
                </p>
                <p class="line-hint">{whenAndWhere(event, desk, words)}</p>
                <EventBadges desk={desk} event={event} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function whenAndWhere(event: CalendarEvent, { language }: Desk, words: DashboardWords): string {
  const when = event.all_day === true ? words.allDay : timeOf(event.start_date)
  const where = venuesOf(event)
    .map(({ venue }) => venue)
    .filter(name => name !== undefined && name !== '')
  return [`${shortDay(language, event.start_date)}, ${when}`, ...where].join(' · ')
}

function EventBadges({ desk, event }: { desk: Desk; event: CalendarEvent }) {
  const words = dashboardWords[desk.language]
  const missing = desk.site.languages.filter(language => !event.translations.includes(language))
  if (missing.length === 0 && (event.event_status ?? 'scheduled') === 'scheduled') return null
  return (
    <p class="badges">
      {event.event_status === 'canceled' ? <span class="badge bad">{words.cancelled}</span> : null}
      {event.event_status === 'postponed' ? <span class="badge warn">{words.postponed}</span> : null}
      {missing.map(language => (
        <span key={language} class="badge warn">
          {words.missing[language]}
        </span>
      ))}
    </p>
  )
}

/** What a new site needs; it goes when all is done that can be seen from here. */
export function Checklist({ desk, overview }: { desk: Desk; overview: Overview }) {
  const words = dashboardWords[desk.language].checklist
  const steps = [
    { label: words.event, href: '/admin/events/new', isDone: overview.hasEvents },
    { label: words.campaign, href: '/admin/campaigns/new', isDone: overview.campaigns.length > 0 },
    { label: words.phone, href: pathTo('feeds', desk.language), isDone: false },
    ...(overview.people === undefined
      ? []
      : [{ label: words.people, href: '/admin/invitations/new', isDone: overview.people > 1 }])
  ]
  if (steps.every(({ isDone, label }) => isDone || label === words.phone)) return null
  return (
    <section class="card checklist" aria-labelledby="checklist">
      <div class="part-head">
        <h2 id="checklist">{words.title}</h2>
        <Act desk={desk} action="/admin/checklist" label={words.hide} look="link" />
      </div>
      <ul>
        {steps.map(({ label, href, isDone }) => (
          <li key={label} class={isDone ? 'done' : undefined}>
            <span class="tick" aria-hidden="true">
              {isDone ? '✓' : ''}
            </span>
            {isDone ? (
              <span>
                {label} <span class="visually-hidden">({words.done})</span>
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

export function SampleCard({ desk }: { desk: Desk }) {
  const words = dashboardWords[desk.language].sample
  return (
    <section class="card sample-card" aria-labelledby="sample">
      <h2 id="sample">{words.title}</h2>
      <p>{words.text}</p>
      <Act desk={desk} action="/admin/sample-content" label={words.action} look="" />
    </section>
  )
}
