import type { AccountChange } from '#fundraising/account-changes/schema.ts'
import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { LedgerEntry, LedgerSummary } from '#fundraising/ledger/schema.ts'
import type { Language } from '#platform/language.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../calendar-api.ts'
import { addDays, dayIn, longDay } from '../../format.ts'
import { redirect } from '../../page.ts'
import { dashboardWords } from '../../text/dashboard.ts'
import { listAccountRequests, SecondPersonNotice } from '../account-requests/account-request-notices.tsx'
import { AccountNotices, recentAccountChanges } from '../campaigns/account-changes.tsx'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { MessagesCard } from '../donations/message-review.tsx'
import { offerUndo } from '../donations/undo.ts'
import { findSamples, type Samples } from '../samples.tsx'
import { WebhookNotices } from '../webhooks/webhook-notices.tsx'
import { Checklist, DonationsPerDay, Figures, NextEvents, SampleCard, Waiting } from './dashboard-parts.tsx'
import { ReviewCard } from './review-card.tsx'
import { SamplesCard, samplePages } from './samples.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']
/** How many days the picture of donations shows, today included. */
const daysShown = 30
const waitingShown = 6
const messagesShown = 4
const eventsShown = 5

const hiddenCookie = 'kalends_checklist'
const aYearSeconds = 31_536_000

/** What somebody wants to know first. */
export function dashboardPages(pages: Console): void {
  pages.show('/admin', everybody, async visited => {
    const desk = offerUndo(visited, () => 'dashboard')
    return dashboardPage(desk, await gather(desk))
  })

  pages.take('/admin/sample-content', [], async desk => {
    const { body } = await desk.api.post<{ made: number }>('/sample-content')
    const words = dashboardWords[desk.language].sample
    desk.say({ text: body.made === 0 ? words.madeNothing : words.made(body.made) })
    return redirect('/admin', 303)
  })

  samplePages(pages)

  pages.take('/admin/checklist', everybody, async desk => {
    desk.cookies.set(hiddenCookie, 'hidden', aYearSeconds)
    return redirect('/admin', 303)
  })
}

/** Everything the page shows, asked for at once. What is not for this role is undefined. */
export interface Overview {
  today: string
  campaigns: Campaign[]
  upcoming: CalendarEvent[]
  upcomingTotal: number
  money:
    | {
        month: LedgerSummary
        pledged: LedgerSummary
        waiting: LedgerEntry[]
        waitingTotal: number
        /** What counts nowhere until somebody has looked at it. */
        review: { waiting: LedgerEntry[]; total: number }
        /** What nobody else reads until somebody has read it. */
        messages: { waiting: LedgerEntry[]; total: number }
        from: string
      }
    | undefined
  missing: { language: Language; count: number }[] | undefined
  hasEvents: boolean
  people: number | undefined
  webhooks: Webhook[]
  samples: Samples
  /** Accounts that money goes to, where they were changed lately. */
  accounts: AccountChange[]
  /** Changes of accounts that wait for a second person. */
  requests: AccountRequest[]
}

async function gather(desk: Desk): Promise<Overview> {
  const { api, site, now } = desk
  const today = dayIn(site.timezone, now)
  const from = addDays(today, 1 - daysShown)
  const [campaigns, upcoming, ofMoney, missing, people, webhooks, samples, accounts, requests] = await Promise.all([
    api.get<Campaign[]>('/campaigns', { limit: 200 }),
    api.get<EventList>(`${calendarPath}/events`, { per_page: eventsShown }),
    desk.may('treasurer') ? gatherMoney(desk, from) : undefined,
    desk.may('editor') && site.languages.length > 1 ? gatherMissing(desk) : undefined,
    desk.may() ? api.get<unknown[]>('/users') : undefined,
    desk.may() ? api.get<Webhook[]>('/webhooks') : undefined,
    findSamples(desk),
    desk.may('editor', 'treasurer') ? recentAccountChanges(desk) : [],
    desk.may('treasurer') ? listAccountRequests(desk) : []
  ])
  const upcomingTotal = upcoming.body.total
  return {
    today,
    campaigns: campaigns.body,
    upcoming: upcoming.body.events,
    upcomingTotal,
    money: ofMoney,
    missing,
    hasEvents: upcomingTotal > 0 || !desk.may('editor') || (await hasEventsAtAll(desk)),
    people: people?.body.length,
    webhooks: webhooks?.body ?? [],
    samples,
    accounts,
    requests
  }
}

async function gatherMoney({ api }: Desk, from: string): Promise<Overview['money']> {
  const waits = { status: 'IN_PROCESS' }
  const [month, pledged, waiting, review, messages] = await Promise.all([
    api.get<LedgerSummary>('/donations/summary', { from }),
    api.get<LedgerSummary>('/donations/summary', waits),
    // Half of them may wait for something else.
    api.get<LedgerEntry[]>('/donations', { ...waits, limit: 2 * waitingShown }),
    api.get<LedgerEntry[]>('/donations', { review: 'waiting', limit: waitingShown }),
    api.get<LedgerEntry[]>('/donations', {
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

async function gatherMissing({ api, site }: Desk): Promise<Overview['missing']> {
  return await Promise.all(
    site.languages.map(async language => {
      const query = { missing_language: language, per_page: 1 }
      const { body } = await api.get<EventList>(`${calendarPath}/events`, query)
      return { language, count: body.total }
    })
  )
}

/** Past ones and drafts count too: only asked where nothing lies ahead. */
async function hasEventsAtAll({ api }: Desk): Promise<boolean> {
  const query = { per_page: 1, start_date: '1970-01-01', end_date: '2199-12-31', status: 'publish,draft' }
  const { body } = await api.get<EventList>(`${calendarPath}/events`, query)
  return body.total > 0
}

function dashboardPage(desk: Desk, overview: Overview): ConsolePage {
  const { language, query } = desk
  const words = dashboardWords[language]
  const isEmpty = !overview.hasEvents && overview.campaigns.length === 0
  const isHidden = desk.cookies.get(hiddenCookie) !== undefined
  return {
    title: words.title,
    menu: '/admin',
    actions: (
      <p class="console-today">
        <time dateTime={overview.today}>{longDay(language, overview.today)}</time>
      </p>
    ),
    body: (
      <>
        {query.welcome === undefined ? null : (
          <p class="notice good" role="status">
            {words.welcome}
          </p>
        )}
        <SecondPersonNotice desk={desk} requests={overview.requests} />
        <AccountNotices desk={desk} changes={overview.accounts} withLink />
        <WebhookNotices desk={desk} webhooks={overview.webhooks} />
        {isEmpty && desk.may() ? <SampleCard desk={desk} /> : null}
        {desk.may() ? <SamplesCard desk={desk} samples={overview.samples} /> : null}
        {isHidden || !desk.may('editor') ? null : <Checklist desk={desk} overview={overview} />}
        <Figures desk={desk} overview={overview} />
        <div class="dashboard">
          {overview.money === undefined ? null : (
            <>
              <ReviewCard desk={desk} {...overview.money.review} campaigns={overview.campaigns} />
              <MessagesCard desk={desk} {...overview.money.messages} campaigns={overview.campaigns} />
              <DonationsPerDay desk={desk} money={overview.money} today={overview.today} />
              <Waiting desk={desk} money={overview.money} campaigns={overview.campaigns} />
            </>
          )}
          <NextEvents desk={desk} overview={overview} />
        </div>
      </>
    )
  }
}
