import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { AccountChange } from '#fundraising/campaigns/account-changes/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationSummary, ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import type { TreasurerTasks } from '#fundraising/treasurer-tasks/schema.ts'
import type { OwnFactors } from '#platform/auth/second-factor/schema.ts'
import type { BackupOverview } from '#platform/backup/files/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Release } from '#platform/release/schema.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { addDays, formatLongDay, toLocalDay } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../server/calendar-api.ts'
import { listAccountRequests, SecondPersonNotice } from '../account-requests/account-request-notices.tsx'
import { AccountNotices, listRecentAccountChanges } from '../campaigns/account-changes.tsx'
import { MessagesCard } from '../donations/message-review.tsx'
import { offerUndo } from '../donations/undo.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { findSamples, type Samples } from '../shared/samples.tsx'
import { listStoppedSubscriptions, SubscriptionNotices } from '../subscriptions/subscription-notices.tsx'
import { WebhookNotices } from '../webhooks/webhook-notices.tsx'
import { Checklist, DonationsPerDay, SampleCard, Waiting } from './dashboard-parts.tsx'
import { NextEvents } from './next-events.tsx'
import { ReviewCard } from './review-card.tsx'
import { registerSampleRoutes, SamplesCard } from './samples.tsx'
import { Stats } from './stats.tsx'
import { Tasks } from './tasks.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']
/** Number of days in the donation chart, including today. */
const daysShown = 30
const waitingShown = 6
const messagesShown = 4
const eventsShown = 5

const hiddenCookie = 'kalends_checklist'
const aYearSeconds = 31_536_000

/** The start page of the console. */
export function registerDashboardRoutes(pages: AdminRouter): void {
  pages.get('/admin', everybody, async given => {
    const context = offerUndo(given, () => 'dashboard')
    return buildPage(context, await loadOverview(context))
  })

  pages.post('/admin/sample-content', [], async context => {
    const { body } = await context.api.post<{ made: number }>('/sample-content')
    const strings = getMessages('dashboard', context.language).sample
    context.flash({ text: body.made === 0 ? strings.madeNothing : strings.made({ count: body.made }) })
    return redirect('/admin', 303)
  })

  registerSampleRoutes(pages)

  pages.post('/admin/checklist', everybody, async context => {
    context.cookies.set(hiddenCookie, 'hidden', aYearSeconds)
    return redirect('/admin', 303)
  })
}

/** All data of the page, loaded in parallel. Data that the role cannot read is undefined. */
export interface Overview {
  today: string
  campaigns: Campaign[]
  upcoming: CalendarEvent[]
  upcomingTotal: number
  money:
    | {
        month: DonationSummary
        pledged: DonationSummary
        waiting: ListedDonation[]
        waitingTotal: number
        /** Donations that are excluded from the totals until a treasurer reviews them. */
        review: { waiting: ListedDonation[]; total: number }
        /** Messages that are not public until a treasurer reviews them. */
        messages: { waiting: ListedDonation[]; total: number }
        from: string
      }
    | undefined
  missing: { language: Language; count: number }[] | undefined
  hasEvents: boolean
  people: number | undefined
  webhooks: Webhook[]
  /** What waits for treasurers. */
  treasurer: TreasurerTasks | undefined
  backups: BackupOverview | undefined
  release: Release | undefined
  /** Second factors of the user. */
  factors: OwnFactors | undefined
  /** Subscribed calendars that need an editor. */
  subscriptions: SubscriptionJson[]
  samples: Samples
  /** Recent changes of bank accounts. */
  accounts: AccountChange[]
  /** Account changes that wait for a second person. */
  requests: AccountRequest[]
}

async function loadOverview(context: AdminContext): Promise<Overview> {
  const { api, site, now } = context
  const today = toLocalDay(site.timezone, now)
  const from = addDays(today, 1 - daysShown)
  const isAdmin = context.hasRole()
  const [campaigns, upcoming, ofMoney, missing, subscriptions, samples, accounts, requests, ofAdmins, treasurer] =
    await Promise.all([
      api.get<Campaign[]>('/campaigns', { limit: 200 }),
      api.get<EventList>(`${calendarPath}/events`, { per_page: eventsShown }),
      context.hasRole('treasurer') ? loadMoney(context, from) : undefined,
      context.hasRole('editor') && site.languages.length > 1 ? countMissingTexts(context) : undefined,
      context.hasRole('editor') ? listStoppedSubscriptions(context) : [],
      findSamples(context),
      context.hasRole('editor', 'treasurer') ? listRecentAccountChanges(context) : [],
      context.hasRole('treasurer') ? listAccountRequests(context) : [],
      isAdmin ? loadForAdmins(context) : undefined,
      context.hasRole('treasurer') ? api.get<TreasurerTasks>('/treasurer-tasks') : undefined
    ])
  const upcomingTotal = upcoming.body.total
  return {
    today,
    campaigns: campaigns.body,
    upcoming: upcoming.body.events,
    upcomingTotal,
    money: ofMoney,
    missing,
    hasEvents: upcomingTotal > 0 || !context.hasRole('editor') || (await hasAnyEvent(context)),
    people: ofAdmins?.people,
    webhooks: ofAdmins?.webhooks ?? [],
    treasurer: treasurer?.body,
    backups: ofAdmins?.backups,
    release: ofAdmins?.release,
    factors: ofAdmins?.factors,
    subscriptions,
    samples,
    accounts: accounts.filter(change => !isOwnFirstAccount(context, change)),
    requests
  }
}

async function loadForAdmins({ api }: AdminContext) {
  const [people, webhooks, backups, release, factors] = await Promise.all([
    api.get<unknown[]>('/users'),
    api.get<Webhook[]>('/webhooks'),
    api.get<BackupOverview>('/backups'),
    api.get<Release>('/release'),
    api.get<OwnFactors>('/users/me/factors')
  ])
  return {
    people: people.body.length,
    webhooks: webhooks.body,
    backups: backups.body,
    release: release.body,
    factors: factors.body
  }
}

/** Nothing was replaced, and the user has just entered it: there is nothing to warn of. */
function isOwnFirstAccount({ user }: AdminContext, { actor, before }: AccountChange): boolean {
  return before === null && actor.startsWith(`user ${user.id} (`)
}

async function loadMoney({ api }: AdminContext, from: string): Promise<Overview['money']> {
  const waits = { status: 'IN_PROCESS' }
  const [month, pledged, waiting, review, messages] = await Promise.all([
    api.get<DonationSummary>('/donations/summary', { from }),
    api.get<DonationSummary>('/donations/summary', waits),
    // Twice as many as shown, because half of them may wait for something else.
    api.get<ListedDonation[]>('/donations', { ...waits, limit: 2 * waitingShown }),
    api.get<ListedDonation[]>('/donations', { review: 'waiting', limit: waitingShown }),
    api.get<ListedDonation[]>('/donations', {
      ...{ messageReview: 'waiting', status: 'IN_PROCESS,TRANSFERRED' },
      limit: messagesShown
    })
  ])
  const reviewTotal = Number(review.header('x-total-count'))
  return {
    month: month.body,
    pledged: pledged.body,
    waiting: waiting.body.filter(donation => donation.review !== 'waiting').slice(0, waitingShown),
    waitingTotal: Number(waiting.header('x-total-count')) - reviewTotal,
    review: { waiting: review.body, total: reviewTotal },
    messages: { waiting: messages.body, total: Number(messages.header('x-total-count')) },
    from
  }
}

async function countMissingTexts({ api, site }: AdminContext): Promise<Overview['missing']> {
  return await Promise.all(
    site.languages.map(async language => {
      const query = { missing_language: language, per_page: 1 }
      const { body } = await api.get<EventList>(`${calendarPath}/events`, query)
      return { language, count: body.total }
    })
  )
}

/** Includes past events and drafts; only requested if there are no upcoming events. */
async function hasAnyEvent({ api }: AdminContext): Promise<boolean> {
  const query = { per_page: 1, start_date: '1900-01-01', end_date: '2199-12-31', status: 'publish,draft' }
  const { body } = await api.get<EventList>(`${calendarPath}/events`, query)
  return body.total > 0
}

function buildPage(context: AdminContext, overview: Overview): AdminPage {
  const { language, query } = context
  const strings = getMessages('dashboard', language)
  const isEmpty = !overview.hasEvents && overview.campaigns.length === 0
  const isHidden = context.cookies.get(hiddenCookie) !== undefined
  return {
    title: strings.title,
    menu: '/admin',
    actions: (
      <p class="console-today">
        <time dateTime={overview.today}>{formatLongDay(language, overview.today)}</time>
      </p>
    ),
    body: (
      <>
        {query.welcome === undefined ? null : (
          <p class="notice good" role="status">
            {strings.welcome}
          </p>
        )}
        <SecondPersonNotice context={context} requests={overview.requests} />
        <AccountNotices context={context} changes={overview.accounts} withLink />
        <WebhookNotices context={context} webhooks={overview.webhooks} />
        <SubscriptionNotices context={context} stopped={overview.subscriptions} />
        <Tasks context={context} overview={overview} />
        {isEmpty && context.hasRole() ? <SampleCard context={context} /> : null}
        {context.hasRole() ? <SamplesCard context={context} samples={overview.samples} /> : null}
        {isHidden || !context.hasRole('editor') ? null : <Checklist context={context} overview={overview} />}
        <Stats context={context} overview={overview} />
        <div class="dashboard">
          {overview.money === undefined ? null : (
            <>
              <ReviewCard context={context} {...overview.money.review} campaigns={overview.campaigns} />
              <MessagesCard context={context} {...overview.money.messages} campaigns={overview.campaigns} />
              <DonationsPerDay context={context} money={overview.money} today={overview.today} />
              <Waiting context={context} money={overview.money} campaigns={overview.campaigns} />
            </>
          )}
          <NextEvents context={context} overview={overview} />
        </div>
      </>
    )
  }
}
