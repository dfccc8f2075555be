import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationStatus } from '#fundraising/donations/schema.ts'
import type { LedgerEntry, LedgerSummary } from '#fundraising/ledger/schema.ts'
import { Refused, withQuery } from '../../api.ts'
import { campaignText } from '../../campaign-text.ts'
import { maskedIban, money, shortMoment } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../calendar-parts.tsx'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { Form } from '../form.tsx'
import { hereIn, pageOf, perPage } from '../list-address.ts'
import { findSamples, markSamples, type Samples } from '../samples.tsx'
import { type Column, Filters, ListActions, Pager, Table } from '../table.tsx'
import { type DonationFilter, donationFilter, donationSort, donationStatuses } from './donation-filter.ts'
import { Sums } from './donation-sums.tsx'

export const donationsMenu = '/admin/donations'
export const releasePath = `${donationsMenu}/release`
/** The last one that the API knows. */
const pagesMax = 1_000_000

export async function showDonations(desk: Desk): Promise<ConsolePage> {
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

function DonationFilters({
  desk,
  filter: { query, errors },
  campaigns
}: {
  desk: Desk
  filter: DonationFilter
  campaigns: Campaign[]
}) {
  const { list, statuses } = moneyWords[desk.language]
  const all = { value: '', label: consoleWords[desk.language].all }
  const chosen = String(query.campaignId ?? '')
  const status = String(query.status ?? '')
  const known = campaigns.map(campaign => {
    const { name, lang } = campaignText(campaign, desk.language)
    return { value: String(campaign.id), label: name, ...(lang === undefined ? {} : { lang }) }
  })
  const isUnknown = chosen !== '' && known.every(({ value }) => value !== chosen)
  const several = {
    value: status,
    label: status
      .split(',')
      .map(one => statuses[one as DonationStatus])
      .join(', ')
  }
  const isSeveral = status.includes(',')
  const typed = (name: string) => ({ name, value: desk.query[name] ?? '', error: errors[name] })
  const review = guardWords[desk.language].review
  const isMoreOpen = ['receipt', 'min', 'max', 'review'].some(name => (desk.query[name] ?? '') !== '')
  return (
    <Filters desk={desk}>
      <Field {...typed('search')} type="search" label={list.search} maxLength={200} />
      <Select
        name="campaign"
        label={list.campaign}
        value={chosen}
        options={[all, ...known, ...(isUnknown ? [{ value: chosen, label: list.unknownCampaign(chosen) }] : [])]}
      />
      <Select
        name="status"
        label={list.status}
        value={status}
        options={[
          all,
          ...donationStatuses.map(value => ({ value, label: statuses[value] })),
          ...(isSeveral ? [several] : [])
        ]}
      />
      <Field {...typed('from')} type="date" label={list.from} />
      <Field {...typed('to')} type="date" label={list.to} />
      <details class="more-filters" open={isMoreOpen}>
        <summary>{list.more}</summary>
        <div class="more-fields">
          <Select
            name="receipt"
            label={list.receipt}
            value={desk.query.receipt ?? ''}
            options={[all, { value: 'yes', label: list.receiptYes }, { value: 'no', label: list.receiptNo }]}
          />
          <Field {...typed('min')} label={list.min} inputMode="decimal" autocomplete="off" maxLength={40} />
          <Field {...typed('max')} label={list.max} inputMode="decimal" autocomplete="off" maxLength={40} />
          <Select
            name="review"
            label={review.filter}
            value={query.messageReview === 'waiting' ? 'message' : String(query.review ?? '')}
            options={[
              all,
              { value: 'waiting', label: review.waiting },
              { value: 'released', label: review.released },
              { value: 'message', label: guardWords[desk.language].messages.filter }
            ]}
          />
        </div>
      </details>
    </Filters>
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
  return [
    {
      label: <TickAll desk={desk} />,
      cell: entry =>
        (entry.nextStatuses ?? []).length === 0 ? null : (
          <label class="tick-box">
            <input type="checkbox" name="donations[]" value={`${entry.campaignId} ${entry.id}`} />
            <span class="visually-hidden">
              {list.tick(entry.reference ?? '', nameOf(desk, entry), amountOf(desk, entry))}
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
            <a class="reference" href={`${donationsMenu}/${entry.campaignId}/${entry.id}`}>
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
      cell: entry => (
        <div class="donor">
          <span class="donor-name">{nameOf(desk, entry)}</span>
          <span class="below">{entry.account ? maskedIban(entry.account.iban) : list.cash}</span>
        </div>
      )
    },
    {
      label: list.campaign,
      cell: entry => {
        const known = names.get(entry.campaignId)
        return (
          <div class="campaign-name">
            <span lang={known?.lang}>{known?.name ?? entry.campaignName}</span>
            {entry.campaignDeleted ? <span class="badge bad">{list.campaignDeleted}</span> : null}
          </div>
        )
      }
    },
    { label: list.amount, sort: 'amount', isNumber: true, cell: entry => amountOf(desk, entry) },
    {
      label: list.status,
      cell: ({ status, receiptRequested, review }) => (
        <>
          {review === 'waiting' ? (
            <span class="badge bad">{guardWords[language].review.badge}</span>
          ) : (
            <DonationBadge status={status} label={statuses[status]} />
          )}
          {receiptRequested === true ? <span class="below">{list.receipt}</span> : null}
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

function amountOf({ language }: Desk, { currency, amount }: Pick<LedgerEntry, 'currency' | 'amount'>): string {
  return money(language, currency, amount, true)
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
            amountOf(desk, entry),
            nameOf(desk, entry),
            entry.reference ?? ''
          )}
        >
          {guardWords[desk.language].review.release}
        </button>
      ) : null}
      {(entry.nextStatuses ?? []).map(status => (
        <button
          key={status}
          type="submit"
          name="one"
          value={`${status} ${entry.campaignId} ${entry.id}`}
          class={status === 'TRANSFERRED' && entry.review !== 'waiting' ? 'small' : 'link'}
          aria-label={words.stepOf(
            words.steps[status],
            amountOf(desk, entry),
            nameOf(desk, entry),
            entry.reference ?? ''
          )}
        >
          {words.steps[status]}
        </button>
      ))}
    </div>
  )
}

/** The same filters as the list; the API writes down that somebody took it. */
export async function downloadDonations(desk: Desk): Promise<Download> {
  const path = withQuery('/donations.csv', donationFilter(desk).query)
  const { status, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) throw new Refused(status, '', consoleWords[desk.language].refused, {})
  // A file read over HTTP has lost the mark that German spreadsheets look for.
  const mark = desk.language === 'de' && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return {
    text: mark + text,
    type: 'text/csv; charset=utf-8',
    fileName: `donations-${desk.now.toISOString().slice(0, 10)}.csv`
  }
}
