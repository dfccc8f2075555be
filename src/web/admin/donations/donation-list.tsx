import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationStatus } from '#fundraising/donations/schema.ts'
import type { LedgerEntry, LedgerSummary } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { campaignText } from '../../campaign-text.ts'
import { formatDate, maskedIban, money, shortMoment } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { hereIn, pageOf, perPage } from '../list-address.ts'
import { findSamples, markSamples, type Samples } from '../samples.tsx'
import { type Column, ListActions, Pager, Table } from '../table.tsx'
import { donationsMenu, getDonationPath, getListOrigin, getStepPath } from './addresses.ts'
import { donationFilter, donationSort, donationStatuses } from './donation-filter.ts'
import { DonationFilters } from './donation-filters.tsx'
import { formatDifference, getToday } from './donation-money.ts'
import { Sums } from './donation-sums.tsx'
import { offerUndo } from './undo.ts'

export const releasePath = `${donationsMenu}/release`
/** The last one that the API knows. */
const pagesMax = 1_000_000

export async function showDonations(visited: Desk): Promise<ConsolePage> {
  const desk = offerUndo(visited, getListOrigin)
  const { api, language } = desk
  const filter = donationFilter(desk)
  const page = Math.min(pageOf(desk), pagesMax)
  const [entries, summary, campaigns, samples] = await Promise.all([
    api.get<LedgerEntry[]>('/donations', { ...filter.query, ...donationSort(desk), page, limit: perPage }),
    api.get<LedgerSummary>('/donations/summary', filter.query),
    api.get<Campaign[]>('/campaigns'),
    findSamples(desk)
  ])
  const words = moneyWords[language].list
  const total = Number(entries.header('x-total-count'))
  const pages = Math.ceil(total / perPage)
  return {
    title: consoleWords[language].nav.donations,
    menu: donationsMenu,
    islands: ['console'],
    actions: <ListActions desk={desk} create={{ label: words.record, href: `${donationsMenu}/new` }} />,
    body: (
      <>
        <DonationFilters desk={desk} filter={filter} campaigns={campaigns.body} />
        <Sums desk={desk} summary={summary.body} />
        <DonationTable
          desk={desk}
          entries={entries.body}
          campaigns={campaigns.body}
          samples={samples}
          empty={total > 0 ? <PastEnd desk={desk} /> : filter.isEmpty ? words.emptyAll : words.empty}
        />
        <Pager desk={desk} page={page} pages={page > pages ? 0 : pages} />
      </>
    )
  }
}

function PastEnd({ desk }: { desk: Desk }) {
  const words = moneyWords[desk.language].list
  return (
    <>
      <p>{words.pastEnd}</p>
      <p>
        <a href={withQuery(desk.path, { ...desk.query, page: undefined })}>{words.toStart}</a>
      </p>
    </>
  )
}

function DonationTable({
  desk,
  entries,
  campaigns,
  samples,
  empty
}: {
  desk: Desk
  entries: LedgerEntry[]
  campaigns: Campaign[]
  samples: Samples
  empty: ConsolePage['body']
}) {
  const words = moneyWords[desk.language]
  const names = new Map(campaigns.map(campaign => [campaign.id, campaignText(campaign, desk.language)]))
  const isSample = ({ campaignId, id }: LedgerEntry) =>
    samples.has('donation', id) || samples.has('campaign', campaignId)
  const columns = markSamples(desk, columnsFor(desk, names), isSample)
  const table = <Table desk={desk} caption={words.list.caption} columns={columns} rows={entries} empty={empty} />
  if (entries.length === 0) return table
  const offered = donationStatuses.filter(status =>
    entries.some(({ nextStatuses = [] }) => nextStatuses.includes(status))
  )
  return (
    <Form desk={desk} action={`${donationsMenu}/status`} class="donations">
      <input type="hidden" name="back" value={hereIn(desk)} />
      {/* Enter in a box presses the first button of a form: this one, which does nothing. */}
      <button type="submit" disabled hidden />
      {table}
      {offered.length === 0 ? null : (
        <p class="actions bulk">
          <span>{words.list.withTicked}</span>
          {entries.some(({ review }) => review === 'waiting') ? (
            <button type="submit" formaction={releasePath} name="release" value="ticked" class="small quiet">
              {guardWords[desk.language].review.release}
            </button>
          ) : null}
          {offered.includes('TRANSFERRED') ? (
            <span class="bulk-received">
              <label for="bulk-day">{words.list.bulkDay}</label>
              <input id="bulk-day" type="date" name="receivedOn" value={getToday(desk)} max={getToday(desk)} />
            </span>
          ) : null}
          {offered.map(status => (
            <button key={status} type="submit" name="all" value={status} class={lookOf(status)}>
              {words.steps[status]}
            </button>
          ))}
        </p>
      )}
    </Form>
  )
}

/** The one step that is taken every day stands out. */
function lookOf(status: DonationStatus): string {
  return status === 'TRANSFERRED' ? 'small' : 'small quiet'
}

function columnsFor(desk: Desk, names: Map<number, ReturnType<typeof campaignText>>): Column<LedgerEntry>[] {
  const { language, site } = desk
  const { list, statuses } = moneyWords[language]
  const payments = paymentWords[language]
  return [
    {
      label: <TickAll desk={desk} />,
      cell: entry =>
        (entry.nextStatuses ?? []).length === 0 ? null : (
          <label class="tick-box">
            <input type="checkbox" name="donations[]" value={`${entry.campaignId} ${entry.id}`} />
            <span class="visually-hidden">
              {list.tick(entry.reference ?? '', nameOf(desk, entry), promisedOf(desk, entry))}
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
            {shortMoment(language, entry.createdAt, site.timezone)}
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
            <span class="donor-name">{nameOf(desk, entry)}</span>
            <span class="below">{entry.account ? maskedIban(entry.account.iban) : list.cash}</span>
            <span class="below donor-campaign" lang={known?.lang}>
              {known?.name ?? entry.campaignName}
            </span>
            {entry.campaignDeleted ? <span class="badge bad">{list.campaignDeleted}</span> : null}
          </div>
        )
      }
    },
    { label: payments.promised, sort: 'amount', isNumber: true, cell: entry => promisedOf(desk, entry) },
    { label: payments.received, isNumber: true, cell: entry => <Received desk={desk} entry={entry} /> },
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
            <span class="badge bad">{guardWords[language].review.badge}</span>
          ) : (
            <DonationBadge status={status} label={statuses[status]} />
          )}
          {receiptRequested === true ? <span class="below">{list.receiptShort}</span> : null}
        </>
      )
    },
    { label: list.step, cell: entry => <Steps desk={desk} entry={entry} /> }
  ]
}

/** Shown by the script that makes it work; without it the column has a plain name. */
function TickAll({ desk }: { desk: Desk }) {
  const words = moneyWords[desk.language].list
  return (
    <>
      <span class="visually-hidden">{words.tickColumn}</span>
      <label class="tick-box" hidden>
        <input type="checkbox" data-select-all="donations[]" />
        <span class="visually-hidden">{words.tickAll}</span>
      </label>
    </>
  )
}

function nameOf(desk: Desk, { donorName }: Pick<LedgerEntry, 'donorName'>): string {
  return donorName ?? moneyWords[desk.language].anonymous
}

function promisedOf({ language }: Desk, { currency, amount }: Pick<LedgerEntry, 'currency' | 'amount'>): string {
  return money(language, currency, amount, true)
}

/** What came, and in words how it differs from the promise. */
function Received({ desk, entry }: { desk: Desk; entry: LedgerEntry }) {
  const { currency, amountReceived } = entry
  const difference = formatDifference(desk, currency, entry)
  if (amountReceived === 0) return <span class="faded">–</span>
  return (
    <>
      {money(desk.language, currency, amountReceived, true)}
      {difference === undefined ? null : <span class="below difference">{difference}</span>}
    </>
  )
}

const badges: Record<DonationStatus, string> = {
  IN_PROCESS: 'warn',
  TRANSFERRED: 'good',
  CANCELLED: 'plain',
  FAILED: 'bad',
  REFUNDED: 'plain'
}

export function DonationBadge({ status, label }: { status: DonationStatus; label: string }) {
  return <span class={`badge ${badges[status]}`}>{label}</span>
}

function Steps({ desk, entry }: { desk: Desk; entry: LedgerEntry }) {
  const words = moneyWords[desk.language]
  return (
    <div class="steps">
      {entry.review === 'waiting' && !entry.campaignDeleted ? (
        <button
          type="submit"
          formaction={releasePath}
          name="release"
          value={`${entry.campaignId} ${entry.id}`}
          class="small"
          aria-label={guardWords[desk.language].review.releaseOf(
            promisedOf(desk, entry),
            nameOf(desk, entry),
            entry.reference ?? ''
          )}
        >
          {guardWords[desk.language].review.release}
        </button>
      ) : null}
      {(entry.nextStatuses ?? []).map(status => (
        <a
          key={status}
          href={getStepPath(entry, status, getListOrigin(desk))}
          class={status === 'TRANSFERRED' && entry.review !== 'waiting' ? 'button small' : 'link'}
          aria-label={words.stepOf(
            words.steps[status],
            promisedOf(desk, entry),
            nameOf(desk, entry),
            entry.reference ?? ''
          )}
        >
          {words.steps[status]}
        </a>
      ))}
    </div>
  )
}
