import type { ComponentChildren } from 'preact'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { BarChart } from '../../components/bar-chart.tsx'
import { formatDay, formatMoney, formatRelativeTime, formatShortDay } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { getPath } from '../../server/paths.ts'
import type { SiteSettings } from '../../server/site-settings.ts'
import { getDonationPath, getStepPath } from '../donations/links/paths.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import type { Overview } from './dashboard.tsx'
import type { Money } from './stats.tsx'

export function Part({
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
  const strings = getMessages('dashboard', language)
  const days = month.byDay ?? []
  const amountOf = (amount: number) => formatMoney(language, site.currency, amount)
  return (
    <Part id="per-day" title={strings.perDay} look="part-wide">
      {days.every(({ count, received }) => count === 0 && received === 0) ? (
        <p class="muted">{strings.perDayNone}</p>
      ) : (
        <BarChart
          language={language}
          caption={strings.perDayOf({ from: formatDay(language, from), to: formatDay(language, today) })}
          columns={[strings.day, strings.received, strings.promised]}
          tableLabel={strings.asTable}
          scale={amountOf}
          bars={days.map(({ date, count, amount, received }) => ({
            label: formatShortDay(language, date),
            title: strings.dayOf({
              day: formatShortDay(language, date),
              received: amountOf(received),
              promised: amountOf(amount),
              donations: strings.donations({ count })
            }),
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
  const strings = getMessages('dashboard', language)
  const more =
    waitingTotal > waiting.length ? (
      <a href={withQuery('/admin/donations', { status: 'IN_PROCESS' })}>{strings.allWaiting}</a>
    ) : null
  return (
    <Part id="waiting" title={strings.waiting} more={more}>
      {waiting.length === 0 ? (
        <p class="muted">{strings.waitingNone}</p>
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
                  {isPart ? <span class="below">{strings.partReceived({ amount: received })}</span> : null}
                </p>
                {donation.campaignDeleted ? null : (
                  <a
                    class="button small quiet"
                    href={getStepPath(donation, 'TRANSFERRED', 'dashboard')}
                    aria-label={strings.receivedLabel({ amount, name })}
                  >
                    {strings.markReceived}
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

/** Set-up checklist of a new site; disappears when every step that can be checked is done. */
export function Checklist({ context, overview }: { context: AdminContext; overview: Overview }) {
  const strings = getMessages('dashboard', context.language).checklist
  const steps = [
    { label: strings.event, href: '/admin/events/new', isDone: overview.hasEvents },
    { label: strings.campaign, href: '/admin/campaigns/new', isDone: overview.campaigns.length > 0 },
    { label: strings.phone, href: getPath('feeds', context.language), isDone: false },
    ...listAdminSteps(context, overview)
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

function listAdminSteps({ language, site }: AdminContext, { people, backups, factors, treasurer }: Overview) {
  const strings = getMessages('dashboard', language).checklist
  if (people === undefined) return []
  const isImprint = ({ kind, texts }: SiteSettings['pages'][number]) =>
    kind === 'imprint' && texts[site.defaultLanguage] !== undefined
  return [
    { label: strings.imprint, href: '/admin/pages', isDone: site.pages.some(isImprint) },
    {
      label: strings.exemption,
      href: '/admin/organisation',
      isDone: treasurer?.missingForReceipts.includes('exemption') === false
    },
    { label: strings.backup, href: '/admin/data#backup', isDone: backups?.lastAt != null },
    {
      label: strings.secondFactor,
      href: '/admin/account/security',
      isDone: factors !== undefined && (factors.totp !== null || factors.passkeys.length > 0)
    },
    { label: strings.people, href: '/admin/invitations/new', isDone: people > 1 }
  ]
}

export function SampleCard({ context }: { context: AdminContext }) {
  const strings = getMessages('dashboard', context.language).sample
  return (
    <section class="card sample-card" aria-labelledby="sample">
      <h2 id="sample">{strings.title}</h2>
      <p>{strings.text}</p>
      <ActionButton context={context} action="/admin/sample-content" label={strings.action} look="" />
    </section>
  )
}
