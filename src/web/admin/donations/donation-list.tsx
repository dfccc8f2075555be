import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationSummary, ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDate, formatDateTime, formatMoney, maskIban } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { getCampaignText } from '../../server/campaign-text.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getListQuery, getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { findSamples, markSamples, type Samples } from '../shared/samples.tsx'
import { type Column, ListActions, Table } from '../shared/table.tsx'
import { donationStatuses, parseDonationFilter, parseDonationSort } from './donation-filter.ts'
import { DonationFilters } from './donation-filters.tsx'
import { formatDifference, getToday } from './donation-money.ts'
import { Sums } from './donation-sums.tsx'
import { donationsMenu, getDonationPath, getListOrigin, getStepPath } from './links/paths.ts'
import { DonationBadge } from './links/status-badge.tsx'
import { offerUndo } from './undo.ts'

export const releasePath = `${donationsMenu}/release`
/** The last page that the API accepts. */
const pagesMax = 1_000_000

export async function showDonations(given: AdminContext): Promise<AdminPage> {
  const context = offerUndo(given, getListOrigin)
  const { api, language } = context
  const filter = parseDonationFilter(context)
  const page = Math.min(getPageNumber(context), pagesMax)
  const [entries, summary, campaigns, samples] = await Promise.all([
    api.get<ListedDonation[]>('/donations', { ...filter.query, ...parseDonationSort(context), page, limit: perPage }),
    api.get<DonationSummary>('/donations/summary', filter.query),
    api.get<Campaign[]>('/campaigns'),
    findSamples(context)
  ])
  const strings = getMessages('donation', language).list
  const total = Number(entries.header('x-total-count'))
  const pages = Math.ceil(total / perPage)
  return {
    title: getMessages('admin', language).nav.donations,
    menu: donationsMenu,
    scripts: ['console'],
    actions: <ListActions context={context} create={{ label: strings.record, href: `${donationsMenu}/new` }} />,
    body: (
      <>
        <DonationFilters context={context} filter={filter} campaigns={campaigns.body} />
        <Sums context={context} summary={summary.body} />
        <DonationTable
          context={context}
          entries={entries.body}
          campaigns={campaigns.body}
          samples={samples}
          empty={total > 0 ? <PastEnd context={context} /> : filter.isEmpty ? strings.emptyAll : strings.empty}
        />
        <Pager context={context} page={page} pages={page > pages ? 0 : pages} />
      </>
    )
  }
}

function PastEnd({ context }: { context: AdminContext }) {
  const strings = getMessages('donation', context.language).list
  return (
    <>
      <p>{strings.pastEnd}</p>
      <p>
        <a href={withQuery(context.path, { ...context.query, page: undefined })}>{strings.toStart}</a>
      </p>
    </>
  )
}

function DonationTable({
  context,
  entries,
  campaigns,
  samples,
  empty
}: {
  context: AdminContext
  entries: ListedDonation[]
  campaigns: Campaign[]
  samples: Samples
  empty: AdminPage['body']
}) {
  const strings = getMessages('donation', context.language)
  const names = new Map(campaigns.map(campaign => [campaign.id, getCampaignText(campaign, context.language)]))
  const isSample = ({ campaignId, id }: ListedDonation) =>
    samples.has('donation', id) || samples.has('campaign', campaignId)
  const columns = markSamples(context, buildColumns(context, names), isSample)
  const table = (
    <Table context={context} caption={strings.list.caption} columns={columns} rows={entries} empty={empty} />
  )
  if (entries.length === 0) return table
  const offered = donationStatuses.filter(status =>
    entries.some(({ nextStatuses = [] }) => nextStatuses.includes(status))
  )
  return (
    <Form context={context} action={`${donationsMenu}/status`} class="donations">
      <input type="hidden" name="back" value={getListQuery(context)} />
      {/* Enter in a field presses the first button of a form: this one, which does nothing. */}
      <button type="submit" disabled hidden />
      {table}
      {offered.length === 0 ? null : (
        <p class="actions bulk">
          <span>{strings.list.withTicked}</span>
          {entries.some(({ review }) => review === 'waiting') ? (
            <button type="submit" formaction={releasePath} name="release" value="ticked" class="small quiet">
              {getMessages('abuse-protection', context.language).review.release}
            </button>
          ) : null}
          {offered.includes('TRANSFERRED') ? (
            <span class="bulk-received">
              <label for="bulk-day">{strings.list.bulkDay}</label>
              <input id="bulk-day" type="date" name="receivedOn" value={getToday(context)} max={getToday(context)} />
            </span>
          ) : null}
          {offered.map(status => (
            <button key={status} type="submit" name="all" value={status} class={getButtonClass(status)}>
              {strings.steps[status]}
            </button>
          ))}
        </p>
      )}
    </Form>
  )
}

/** Emphasizes the most frequent action. */
function getButtonClass(status: DonationStatus): string {
  return status === 'TRANSFERRED' ? 'small' : 'small quiet'
}

function buildColumns(
  context: AdminContext,
  names: Map<number, ReturnType<typeof getCampaignText>>
): Column<ListedDonation>[] {
  const { language, site } = context
  const { list, statuses } = getMessages('donation', language)
  const payments = getMessages('payment', language)
  return [
    {
      label: <TickAll context={context} />,
      cell: entry =>
        (entry.nextStatuses ?? []).length === 0 ? null : (
          <label class="tick-box">
            <input type="checkbox" name="donations[]" value={`${entry.campaignId} ${entry.id}`} />
            <span class="visually-hidden">
              {list.tick({
                reference: entry.reference ?? '',
                name: getDonorName(context, entry),
                amount: formatPromised(context, entry)
              })}
            </span>
          </label>
        )
    },
    {
      label: list.made,
      sort: 'createdAt',
      isHead: true,
      cell: entry => (
        <>
          {entry.campaignDeleted ? (
            <span class="reference">{entry.reference}</span>
          ) : (
            <a class="reference" href={getDonationPath(entry)}>
              {entry.reference}
            </a>
          )}
          <time class="below" dateTime={entry.createdAt}>
            {formatDateTime(language, entry.createdAt, site.timezone)}
          </time>
        </>
      )
    },
    {
      label: list.donor,
      sort: 'donorName',
      cell: entry => {
        const known = names.get(entry.campaignId)
        return (
          <div class="donor">
            <span class="donor-name">{getDonorName(context, entry)}</span>
            <span class="below">{entry.account ? maskIban(entry.account.iban) : list.cash}</span>
            <span class="below donor-campaign" lang={known?.lang}>
              {known?.name ?? entry.campaignName}
            </span>
            {entry.campaignDeleted ? <span class="badge bad">{list.campaignDeleted}</span> : null}
          </div>
        )
      }
    },
    { label: payments.promised, sort: 'amount', isNumber: true, cell: entry => formatPromised(context, entry) },
    { label: payments.received, isNumber: true, cell: entry => <Received context={context} entry={entry} /> },
    {
      label: payments.receivedOn,
      isNamed: true,
      cell: ({ receivedOn = null }) =>
        receivedOn === null ? null : <time dateTime={receivedOn}>{formatDate(language, receivedOn)}</time>
    },
    {
      label: list.status,
      cell: ({ status, receiptRequested, review }) => (
        <>
          {review === 'waiting' ? (
            <span class="badge bad">{getMessages('abuse-protection', language).review.badge}</span>
          ) : (
            <DonationBadge status={status} label={statuses[status]} />
          )}
          {receiptRequested === true ? <span class="below">{list.receiptShort}</span> : null}
        </>
      )
    },
    { label: list.step, cell: entry => <Steps context={context} entry={entry} /> }
  ]
}

/** Shown by the island that implements it; without scripts the column has a plain heading. */
function TickAll({ context }: { context: AdminContext }) {
  const strings = getMessages('donation', context.language).list
  return (
    <>
      <span class="visually-hidden">{strings.tickColumn}</span>
      <label class="tick-box" hidden>
        <input type="checkbox" data-select-all="donations[]" />
        <span class="visually-hidden">{strings.tickAll}</span>
      </label>
    </>
  )
}

function getDonorName(context: AdminContext, { donorName }: Pick<ListedDonation, 'donorName'>): string {
  return donorName ?? getMessages('donation', context.language).anonymous
}

function formatPromised(
  { language }: AdminContext,
  { currency, amount }: Pick<ListedDonation, 'currency' | 'amount'>
): string {
  return formatMoney(language, currency, amount, true)
}

/** The amount received, and how it differs from the promised amount. */
function Received({ context, entry }: { context: AdminContext; entry: ListedDonation }) {
  const { currency, amountReceived } = entry
  const difference = formatDifference(context, currency, entry)
  if (amountReceived === 0) return <span class="muted">–</span>
  return (
    <>
      {formatMoney(context.language, currency, amountReceived, true)}
      {difference === undefined ? null : <span class="below difference">{difference}</span>}
    </>
  )
}

function Steps({ context, entry }: { context: AdminContext; entry: ListedDonation }) {
  const strings = getMessages('donation', context.language)
  return (
    <div class="steps">
      {entry.review === 'waiting' && !entry.campaignDeleted ? (
        <button
          type="submit"
          formaction={releasePath}
          name="release"
          value={`${entry.campaignId} ${entry.id}`}
          class="small"
          aria-label={getMessages('abuse-protection', context.language).review.releaseOf({
            amount: formatPromised(context, entry),
            name: getDonorName(context, entry),
            reference: entry.reference ?? ''
          })}
        >
          {getMessages('abuse-protection', context.language).review.release}
        </button>
      ) : null}
      {(entry.nextStatuses ?? []).map(status => (
        <a
          key={status}
          href={getStepPath(entry, status, getListOrigin(context))}
          class={status === 'TRANSFERRED' && entry.review !== 'waiting' ? 'button small' : 'link'}
          aria-label={strings.stepOf({
            step: strings.steps[status],
            amount: formatPromised(context, entry),
            name: getDonorName(context, entry),
            reference: entry.reference ?? ''
          })}
        >
          {strings.steps[status]}
        </a>
      ))}
    </div>
  )
}
