import type { ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { DonationBadge } from '../donations/links/status-badge.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { formatApiAmount, parseCents, toCents } from '../shared/parse-amount.ts'
import { type Column, Table } from '../shared/table.tsx'
import {
  describeDifference,
  formatDonor,
  formatStatementAmount,
  getStatementApiPath,
  getStatementPagePath,
  menu,
  type StatementEntry
} from './statement.ts'
import { Decision } from './statement-actions.tsx'
import { Booking } from './statement-entry.tsx'
import { getEntryPath } from './statement-parts.tsx'
import { newSplit, SplitForm, type SplitState } from './statement-split.tsx'

const shownMax = 25

/** Searches the donation that an entry pays for; without a search, lists those with a matching amount. */
export async function showDonationSearch(context: AdminContext, split?: SplitState): Promise<AdminPage> {
  const strings = getMessages('statement', context.language)
  const { body: entry } = await context.api.get<StatementEntry>(
    getStatementApiPath(context, `/entries/${encodeURIComponent(context.params.entry ?? '')}`)
  )
  const { query, error } = parseSearch(context, entry)
  const isSearch = isFilledIn(context, 'search') || isFilledIn(context, 'amount')
  const found =
    error === undefined
      ? await context.api.get<ListedDonation[]>('/donations', { ...query, limit: shownMax })
      : undefined
  const donations = found?.body ?? []
  const total = Number(found?.header('x-total-count') ?? 0)
  return {
    title: strings.findTitle,
    menu,
    status: error === undefined && split === undefined ? 200 : 422,
    scripts: ['console', 'split'],
    actions: (
      <a class="button quiet" href={getStatementPagePath(context)}>
        {strings.back}
      </a>
    ),
    body: (
      <>
        <div class="entry card alone">
          <Booking context={context} entry={entry} />
        </div>
        <p>{strings.findLead}</p>
        <form class="filters statement-search" method="get" action={getEntryPath(entry)}>
          <Field
            name="search"
            type="search"
            label={strings.search}
            value={context.query.search ?? ''}
            maxLength={200}
          />
          <Field
            name="amount"
            label={strings.amount}
            value={context.query.amount ?? ''}
            error={error}
            inputMode="decimal"
            autocomplete="off"
            maxLength={40}
          />
          <div class="actions">
            <button type="submit" class="small">
              {strings.look}
            </button>
          </div>
        </form>
        <h2>{isSearch ? strings.found : strings.foundSame}</h2>
        <div class="statement-found">
          <Table
            context={context}
            caption={isSearch ? strings.found : strings.foundSame}
            empty={<p>{isSearch ? strings.foundNone : strings.foundNoneSame}</p>}
            rows={donations}
            columns={buildColumns(context, entry)}
          />
        </div>
        {total > donations.length && donations.length > 0 ? (
          <p class="hint">
            {strings.tooMany({
              shown: formatNumber(context.language, donations.length),
              all: formatNumber(context.language, total)
            })}
          </p>
        ) : null}
        {entry.direction === 'in' && entry.amount > 0 ? (
          <SplitForm context={context} entry={entry} state={split ?? newSplit(context, entry)} />
        ) : null}
      </>
    )
  }
}

const isFilledIn = ({ query }: AdminContext, name: string) => (query[name] ?? '').trim() !== ''

/** Query for the donation list, or the error of the amount field. */
function parseSearch(context: AdminContext, entry: StatementEntry): { query: Record<string, string>; error?: string } {
  const search = (context.query.search ?? '').trim().slice(0, 200)
  const typed = (context.query.amount ?? '').trim()
  if (search === '' && typed === '') {
    const amount = formatApiAmount(toCents(entry.amount))
    const status = entry.direction === 'in' ? 'IN_PROCESS' : 'TRANSFERRED'
    return { query: { minAmount: amount, maxAmount: amount, status } }
  }
  const cents = typed === '' ? undefined : parseCents(typed, context.language)
  if (typeof cents === 'string') return { query: {}, error: cents }
  const amount = cents === undefined ? undefined : formatApiAmount(cents)
  return {
    query: {
      ...(search === '' ? {} : { search }),
      ...(amount === undefined ? {} : { minAmount: amount, maxAmount: amount })
    }
  }
}

function buildColumns(context: AdminContext, entry: StatementEntry): Column<ListedDonation>[] {
  const { language, site } = context
  const strings = getMessages('statement', language)
  const differs = (one: ListedDonation) =>
    one.currency === entry.currency ? (toCents(entry.amount) - toCents(one.amount)) / 100 : null
  return [
    {
      label: strings.made,
      isHead: true,
      cell: one => (
        <>
          <a class="reference" href={`/admin/donations/${one.campaignId}/${one.id}`}>
            {one.reference}
          </a>
          <time class="below" dateTime={one.createdAt}>
            {formatDateTime(language, one.createdAt, site.timezone)}
          </time>
        </>
      )
    },
    {
      label: strings.donor,
      cell: one => <div class="donor">{formatDonor(strings, { donorName: one.donorName ?? null })}</div>
    },
    { label: strings.campaign, cell: one => <div class="campaign-name">{one.campaignName}</div> },
    {
      label: strings.amount,
      isNumber: true,
      cell: one => (
        <>
          {formatStatementAmount(context, one.currency, one.amount)}
          <span class="below">{describeDifference(context, one.currency, differs(one))}</span>
        </>
      )
    },
    {
      label: strings.status,
      cell: ({ status }) => <DonationBadge status={status} label={getMessages('donation', language).statuses[status]} />
    },
    {
      label: <span class="visually-hidden">{strings.assign}</span>,
      cell: one => (
        <Decision
          context={context}
          entry={entry}
          match={{ campaignId: one.campaignId, donationId: one.id, donorName: one.donorName ?? null }}
          label={strings.assign}
          look="small"
        />
      )
    }
  ]
}
