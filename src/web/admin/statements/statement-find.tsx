import type { LedgerEntry } from '#fundraising/ledger/schema.ts'
import { number, shortMoment } from '../../format.ts'
import { moneyWords } from '../../text/money.ts'
import { statementWords } from '../../text/statements.ts'
import { Field } from '../../ui/field.tsx'
import type { ConsolePage, Desk } from '../console.ts'
import { DonationBadge } from '../donations/donation-list.tsx'
import { type Column, Table } from '../table.tsx'
import { centsIn, exactAmount, toCents } from '../typed-amount.ts'
import { Decision } from './statement-actions.tsx'
import { amountOf, apiPath, differenceOf, donorOf, menu, pagePath, type StatementEntry } from './statement-answers.ts'
import { Booking } from './statement-entry.tsx'
import { entryPath } from './statement-parts.tsx'
import { newSplit, SplitForm, type SplitState } from './statement-split.tsx'

const shownMax = 25

/** Looks for the donation that an entry is for; without a question those that would fit. */
export async function showFind(desk: Desk, split?: SplitState): Promise<ConsolePage> {
  const words = statementWords[desk.language]
  const { body: entry } = await desk.api.get<StatementEntry>(
    apiPath(desk, `/entries/${encodeURIComponent(desk.params.entry ?? '')}`)
  )
  const { query, error } = questionIn(desk, entry)
  const isAsked = isSaid(desk, 'search') || isSaid(desk, 'amount')
  const found =
    error === undefined ? await desk.api.get<LedgerEntry[]>('/donations', { ...query, limit: shownMax }) : undefined
  const donations = found?.body ?? []
  const total = Number(found?.header('x-total-count') ?? 0)
  return {
    title: words.findTitle,
    menu,
    status: error === undefined && split === undefined ? 200 : 422,
    islands: ['console', 'split'],
    actions: (
      <a class="button quiet" href={pagePath(desk)}>
        {words.back}
      </a>
    ),
    body: (
      <>
        <div class="entry card alone">
          <Booking desk={desk} entry={entry} />
        </div>
        <p>{words.findLead}</p>
        <form class="filters statement-search" method="get" action={entryPath(entry)}>
          <Field name="search" type="search" label={words.search} value={desk.query.search ?? ''} maxLength={200} />
          <Field
            name="amount"
            label={words.amount}
            value={desk.query.amount ?? ''}
            error={error}
            inputMode="decimal"
            autocomplete="off"
            maxLength={40}
          />
          <div class="actions">
            <button type="submit" class="small">
              {words.look}
            </button>
          </div>
        </form>
        <h2>{isAsked ? words.found : words.foundSame}</h2>
        <div class="statement-found">
          <Table
            desk={desk}
            caption={isAsked ? words.found : words.foundSame}
            empty={<p>{isAsked ? words.foundNone : words.foundNoneSame}</p>}
            rows={donations}
            columns={columnsFor(desk, entry)}
          />
        </div>
        {total > donations.length && donations.length > 0 ? (
          <p class="hint">{words.tooMany(number(desk.language, donations.length), number(desk.language, total))}</p>
        ) : null}
        {entry.direction === 'in' && entry.amount > 0 ? (
          <SplitForm desk={desk} entry={entry} state={split ?? newSplit(desk, entry)} />
        ) : null}
      </>
    )
  }
}

const isSaid = ({ query }: Desk, name: string) => (query[name] ?? '').trim() !== ''

/** What the ledger is asked, or what is wrong with the amount. */
function questionIn(desk: Desk, entry: StatementEntry): { query: Record<string, string>; error?: string } {
  const search = (desk.query.search ?? '').trim().slice(0, 200)
  const typed = (desk.query.amount ?? '').trim()
  if (search === '' && typed === '') {
    const amount = exactAmount(toCents(entry.amount))
    const status = entry.direction === 'in' ? 'IN_PROCESS' : 'TRANSFERRED'
    return { query: { minAmount: amount, maxAmount: amount, status } }
  }
  const cents = typed === '' ? undefined : centsIn(typed, desk.language)
  if (typeof cents === 'string') return { query: {}, error: cents }
  const amount = cents === undefined ? undefined : exactAmount(cents)
  return {
    query: {
      ...(search === '' ? {} : { search }),
      ...(amount === undefined ? {} : { minAmount: amount, maxAmount: amount })
    }
  }
}

function columnsFor(desk: Desk, entry: StatementEntry): Column<LedgerEntry>[] {
  const { language, site } = desk
  const words = statementWords[language]
  const differs = (one: LedgerEntry) =>
    one.currency === entry.currency ? (toCents(entry.amount) - toCents(one.amount)) / 100 : null
  return [
    {
      label: words.made,
      isHead: true,
      cell: one => (
        <>
          <a class="reference" href={`/admin/donations/${one.campaignId}/${one.id}`}>
            {one.reference}
          </a>
          <time class="below" dateTime={one.createdAt}>
            {shortMoment(language, one.createdAt, site.timezone)}
          </time>
        </>
      )
    },
    {
      label: words.donor,
      cell: one => <div class="donor">{donorOf(words, { donorName: one.donorName ?? null })}</div>
    },
    { label: words.campaign, cell: one => <div class="campaign-name">{one.campaignName}</div> },
    {
      label: words.amount,
      isNumber: true,
      cell: one => (
        <>
          {amountOf(desk, one.currency, one.amount)}
          <span class="below">{differenceOf(desk, one.currency, differs(one))}</span>
        </>
      )
    },
    {
      label: words.status,
      cell: ({ status }) => <DonationBadge status={status} label={moneyWords[language].statuses[status]} />
    },
    {
      label: <span class="visually-hidden">{words.assign}</span>,
      cell: one => (
        <Decision
          desk={desk}
          entry={entry}
          match={{ campaignId: one.campaignId, donationId: one.id, donorName: one.donorName ?? null }}
          label={words.assign}
          look="small"
        />
      )
    }
  ]
}
