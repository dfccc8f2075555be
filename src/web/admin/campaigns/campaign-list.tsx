import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { csvIn } from '#platform/csv.ts'
import { languages } from '#platform/language.ts'
import { withQuery } from '../../api.ts'
import { campaignText, pathToCampaign, standingOf } from '../../campaign-text.ts'
import { dayIn, money, number, plainDay } from '../../format.ts'
import { type CampaignWords, campaignWords } from '../../text/campaigns.ts'
import { consoleWords } from '../../text/console.ts'
import { Field } from '../../ui/field.tsx'
import { LanguageMarks, Select } from '../calendar-parts.tsx'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { Act } from '../form.tsx'
import { hereIn, pageOf, perPage } from '../list-address.ts'
import { findSamples, markSamples } from '../samples.tsx'
import { type Column, Filters, ListActions, Pager, Table } from '../table.tsx'
import { textIn } from './campaign-input.ts'

const menu = '/admin/campaigns'

export async function showCampaigns(desk: Desk): Promise<ConsolePage> {
  const words = campaignWords[desk.language]
  const frame = consoleWords[desk.language]
  const [found, samples] = await Promise.all([findCampaigns(desk), findSamples(desk)])
  const pages = Math.ceil(found.length / perPage)
  const page = Math.min(pageOf(desk), Math.max(pages, 1))
  const mayWrite = desk.may('editor', 'treasurer')
  const isFiltered = (desk.query.search ?? '') !== '' || statusOf(desk) !== ''
  return {
    title: frame.nav.campaigns,
    menu,
    actions: (
      <ListActions desk={desk} create={mayWrite ? { label: words.list.create, href: `${menu}/new` } : undefined} />
    ),
    body: (
      <>
        <CampaignFilters desk={desk} />
        <div class="campaigns">
          <Table
            desk={desk}
            caption={frame.nav.campaigns}
            columns={markSamples(desk, columnsFor(desk), ({ id }) => samples.has('campaign', id))}
            rows={found.slice((page - 1) * perPage, page * perPage)}
            empty={
              statusOf(desk) === 'deleted' ? (
                words.list.emptyDeleted
              ) : isFiltered || !mayWrite ? (
                words.list.empty
              ) : (
                <>
                  <p>{words.list.emptyAll}</p>
                  <p>
                    <a class="button" href={`${menu}/new`}>
                      {words.list.create}
                    </a>
                  </p>
                </>
              )
            }
          />
        </div>
        <Pager desk={desk} page={page} pages={pages} />
      </>
    )
  }
}

type Shown = '' | keyof CampaignWords['statuses']

function offeredStatuses(desk: Desk): Shown[] {
  const drafts: Shown[] = desk.may('editor', 'treasurer') ? ['draft'] : []
  return ['', 'open', 'soon', 'ended', 'closed', ...drafts, ...(desk.may() ? (['deleted'] as const) : [])]
}

function statusOf(desk: Desk): Shown {
  return offeredStatuses(desk).find(status => status === desk.query.status) ?? ''
}

function CampaignFilters({ desk }: { desk: Desk }) {
  const { list, statuses } = campaignWords[desk.language]
  return (
    <Filters desk={desk}>
      <Field name="search" type="search" label={list.search} value={desk.query.search ?? ''} maxLength={200} />
      <Select
        name="status"
        label={list.status}
        value={statusOf(desk)}
        options={offeredStatuses(desk).map(value => ({
          value,
          label: value === '' ? consoleWords[desk.language].all : statuses[value]
        }))}
      />
    </Filters>
  )
}

/** Campaigns are few, and the API lists all of them: chosen and sorted here. */
async function findCampaigns(desk: Desk): Promise<Campaign[]> {
  const status = statusOf(desk)
  const { body } = await desk.api.get<Campaign[]>('/campaigns', status === 'deleted' ? { deleted: true } : {})
  const wanted = (desk.query.search ?? '').trim().toLowerCase().slice(0, 200)
  return body
    .filter(campaign => status === '' || shownStatus(campaign, desk.now) === status)
    .filter(campaign => languages.some(language => textIn(campaign, language)?.name.toLowerCase().includes(wanted)))
    .sort(orderOf(desk))
}

type Order = (one: Campaign, other: Campaign) => number

const noEnd = '9999'

function orderOf({ query, language }: Desk): Order {
  const name = (campaign: Campaign) => campaignText(campaign, language).name
  const orders: Record<string, Order> = {
    name: (one, other) => name(one).localeCompare(name(other), language),
    collected: (one, other) => one.amountDonatedSoFar - other.amountDonatedSoFar,
    donations: (one, other) => one.donationCount - other.donationCount,
    ends: (one, other) => (one.endsAt ?? noEnd).localeCompare(other.endsAt ?? noEnd)
  }
  const sort = query.sort ?? ''
  const order = Object.hasOwn(orders, sort) ? orders[sort] : undefined
  // The newest first, where nobody has asked for anything else.
  if (order === undefined) return (one, other) => other.id - one.id
  return query.order === 'desc' ? (one, other) => order(other, one) : order
}

/** What the status is worth today: an open campaign may not have begun, or be over. */
function shownStatus(campaign: Campaign, now: Date): keyof CampaignWords['statuses'] {
  if (campaign.deletedAt !== undefined) return 'deleted'
  return campaign.status === 'open' ? standingOf(campaign, now) : campaign.status
}

const looks: Record<string, string> = { open: 'good', soon: 'warn', deleted: 'bad' }

function columnsFor(desk: Desk): Column<Campaign>[] {
  const { language } = desk
  const { list, statuses } = campaignWords[language]
  const isDeleted = statusOf(desk) === 'deleted'
  const columns: Column<Campaign>[] = [
    { label: list.name, sort: 'name', isHead: true, cell: campaign => <Name desk={desk} campaign={campaign} /> },
    {
      label: list.status,
      cell: campaign => {
        const status = shownStatus(campaign, desk.now)
        return <span class={`badge ${looks[status] ?? 'plain'}`}>{statuses[status]}</span>
      }
    },
    { label: list.collected, sort: 'collected', cell: campaign => <Collected desk={desk} campaign={campaign} /> },
    {
      label: list.donations,
      sort: 'donations',
      isNumber: true,
      cell: campaign => <DonationCount desk={desk} campaign={campaign} />
    },
    {
      label: isDeleted ? statuses.deleted : list.ends,
      ...(isDeleted ? {} : { sort: 'ends' }),
      cell: ({ endsAt, deletedAt }) => {
        const at = deletedAt ?? endsAt
        return at === null ? (
          <span class="faded nowrap">{list.noEnd}</span>
        ) : (
          <time dateTime={at}>{plainDay(language, dayIn(desk.site.timezone, new Date(at)))}</time>
        )
      }
    },
    {
      label: list.languages,
      cell: campaign => (
        <LanguageMarks desk={desk} written={languages.filter(one => textIn(campaign, one) !== undefined)} />
      )
    }
  ]
  const acts = {
    label: consoleWords[language].actions,
    cell: (campaign: Campaign) => <RowAct desk={desk} campaign={campaign} />
  }
  return [...columns, acts]
}

function Name({ desk, campaign }: { desk: Desk; campaign: Campaign }) {
  const { name, lang } = campaignText(campaign, desk.language)
  if (campaign.deletedAt !== undefined) return <span lang={lang}>{name}</span>
  return (
    <a href={`${menu}/${campaign.id}`} lang={lang}>
      {name}
    </a>
  )
}

function Collected({ desk: { language }, campaign }: { desk: Desk; campaign: Campaign }) {
  const words = campaignWords[language].list
  const { currency, progressPercent } = campaign
  const collected = money(language, currency, campaign.amountDonatedSoFar)
  const target = words.ofTarget(money(language, currency, campaign.targetAmount))
  return (
    <div class="collected">
      <p>
        <strong>{collected}</strong> <span class="faded">{target}</span>
      </p>
      <progress
        value={Math.min(progressPercent, 100)}
        max="100"
        aria-label={words.progress(campaignText(campaign, language).name)}
        aria-valuetext={`${number(language, Math.floor(progressPercent))} %`}
      />
    </div>
  )
}

function DonationCount({ desk, campaign }: { desk: Desk; campaign: Campaign }) {
  const count = number(desk.language, campaign.donationCount)
  if (!desk.may('treasurer')) return <>{count}</>
  const { list } = campaignWords[desk.language]
  return (
    <a class="figure-link" href={withQuery('/admin/donations', { campaign: campaign.id })}>
      {count}
      <span class="visually-hidden"> {list.donationsOf(campaignText(campaign, desk.language).name)}</span>
    </a>
  )
}

function RowAct({ desk, campaign }: { desk: Desk; campaign: Campaign }) {
  const { list } = campaignWords[desk.language]
  const heard = <span class="visually-hidden">: {campaignText(campaign, desk.language).name}</span>
  if (campaign.deletedAt !== undefined) {
    const label = (
      <>
        {list.restore}
        {heard}
      </>
    )
    return <Act desk={desk} action={`${menu}/${campaign.id}/restore`} label={label} fields={{ back: hereIn(desk) }} />
  }
  if (campaign.status === 'draft') return null
  return (
    <a class="view-link" href={pathToCampaign(campaign, desk.language)}>
      {list.view}
      {heard}
    </a>
  )
}

export async function downloadCampaigns(desk: Desk): Promise<Download> {
  const { language } = desk
  const { list, csv: names, statuses } = campaignWords[language]
  const csv = csvIn(language)
  const found = await findCampaigns(desk)
  const head = [
    'id',
    list.name,
    list.status,
    list.collected,
    names.transferred,
    names.target,
    names.minimum,
    names.currency,
    list.donations,
    names.starts,
    list.ends,
    names.created,
    list.languages
  ]
  const lines = found.map(campaign =>
    csv.line([
      String(campaign.id),
      campaignText(campaign, language).name,
      statuses[shownStatus(campaign, desk.now)],
      campaign.amountDonatedSoFar,
      campaign.amountTransferred,
      campaign.targetAmount,
      campaign.donationMinimum,
      campaign.currency,
      String(campaign.donationCount),
      campaign.startsAt,
      campaign.endsAt,
      campaign.createdAt,
      languages.filter(one => textIn(campaign, one) !== undefined).join(', ')
    ])
  )
  return {
    text: csv.head(head) + lines.join(''),
    type: 'text/csv; charset=utf-8',
    fileName: `campaigns-${desk.now.toISOString().slice(0, 10)}.csv`
  }
}
