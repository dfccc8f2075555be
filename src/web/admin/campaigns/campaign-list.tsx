import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import { languages } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Field, Select } from '../../components/field.tsx'
import { formatDay, formatMoney, formatNumber, toLocalDay } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { getCampaignPath, getCampaignState, getCampaignText } from '../../server/campaign-text.ts'
import { LanguageMarks } from '../shared/calendar/fields.tsx'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { getListQuery, getPageNumber, perPage } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { findSamples, markSamples } from '../shared/samples.tsx'
import { type Column, Filters, ListActions, Table } from '../shared/table.tsx'
import { getText } from './campaign-input.ts'
import { PresentationLink } from './campaign-links.tsx'

const menu = '/admin/campaigns'

export async function showCampaigns(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('campaign', context.language)
  const frame = getMessages('admin', context.language)
  const [found, samples] = await Promise.all([findCampaigns(context), findSamples(context)])
  const pages = Math.ceil(found.length / perPage)
  const page = Math.min(getPageNumber(context), Math.max(pages, 1))
  const mayWrite = context.hasRole('editor', 'treasurer')
  const isFiltered = (context.query.search ?? '') !== '' || getStatus(context) !== ''
  return {
    title: frame.nav.campaigns,
    menu,
    actions: (
      <>
        {mayWrite ? <PresentationLink context={context} /> : null}
        <ListActions
          context={context}
          create={mayWrite ? { label: strings.list.create, href: `${menu}/new` } : undefined}
        />
      </>
    ),
    body: (
      <>
        <CampaignFilters context={context} />
        <div class="campaigns">
          <Table
            context={context}
            caption={frame.nav.campaigns}
            columns={markSamples(context, buildColumns(context), ({ id }) => samples.has('campaign', id))}
            rows={found.slice((page - 1) * perPage, page * perPage)}
            empty={
              getStatus(context) === 'deleted' ? (
                strings.list.emptyDeleted
              ) : isFiltered || !mayWrite ? (
                strings.list.empty
              ) : (
                <>
                  <p>{strings.list.emptyAll}</p>
                  <p>
                    <a class="button" href={`${menu}/new`}>
                      {strings.list.create}
                    </a>
                  </p>
                </>
              )
            }
          />
        </div>
        <Pager context={context} page={page} pages={pages} />
      </>
    )
  }
}

type StatusFilter = '' | keyof Messages<'campaign'>['statuses']

function listStatuses(context: AdminContext): StatusFilter[] {
  const drafts: StatusFilter[] = context.hasRole('editor', 'treasurer') ? ['draft'] : []
  return ['', 'open', 'soon', 'ended', 'closed', ...drafts, ...(context.hasRole() ? (['deleted'] as const) : [])]
}

function getStatus(context: AdminContext): StatusFilter {
  return listStatuses(context).find(status => status === context.query.status) ?? ''
}

function CampaignFilters({ context }: { context: AdminContext }) {
  const { list, statuses } = getMessages('campaign', context.language)
  return (
    <Filters context={context}>
      <Field name="search" type="search" label={list.search} value={context.query.search ?? ''} maxLength={200} />
      <Select
        name="status"
        label={list.status}
        value={getStatus(context)}
        options={listStatuses(context).map(value => ({
          value,
          label: value === '' ? getMessages('admin', context.language).all : statuses[value]
        }))}
      />
    </Filters>
  )
}

/** Filters and sorts here: campaigns are few, and the API returns all of them. */
async function findCampaigns(context: AdminContext): Promise<Campaign[]> {
  const status = getStatus(context)
  const { body } = await context.api.get<Campaign[]>('/campaigns', status === 'deleted' ? { deleted: true } : {})
  const wanted = (context.query.search ?? '').trim().toLowerCase().slice(0, 200)
  return body
    .filter(campaign => status === '' || getDisplayStatus(campaign, context.now) === status)
    .filter(campaign => languages.some(language => getText(campaign, language)?.name.toLowerCase().includes(wanted)))
    .sort(getOrder(context))
}

type Order = (one: Campaign, other: Campaign) => number

const noEnd = '9999'

function getOrder({ query, language }: AdminContext): Order {
  const name = (campaign: Campaign) => getCampaignText(campaign, language).name
  const orders: Record<string, Order> = {
    name: (one, other) => name(one).localeCompare(name(other), language),
    collected: (one, other) => one.amountDonatedSoFar - other.amountDonatedSoFar,
    donations: (one, other) => one.donationCount - other.donationCount,
    ends: (one, other) => (one.endsAt ?? noEnd).localeCompare(other.endsAt ?? noEnd)
  }
  const sort = query.sort ?? ''
  const order = Object.hasOwn(orders, sort) ? orders[sort] : undefined
  // Newest first by default.
  if (order === undefined) return (one, other) => other.id - one.id
  return query.order === 'desc' ? (one, other) => order(other, one) : order
}

/** Effective status today: an open campaign may not have started, or may be over. */
function getDisplayStatus(campaign: Campaign, now: Date): keyof Messages<'campaign'>['statuses'] {
  if (campaign.deletedAt !== undefined) return 'deleted'
  return campaign.status === 'open' ? getCampaignState(campaign, now) : campaign.status
}

const badgeClasses: Record<string, string> = { open: 'good', soon: 'warn', deleted: 'bad' }

function buildColumns(context: AdminContext): Column<Campaign>[] {
  const { language } = context
  const { list, statuses } = getMessages('campaign', language)
  const isDeleted = getStatus(context) === 'deleted'
  const columns: Column<Campaign>[] = [
    { label: list.name, sort: 'name', isHead: true, cell: campaign => <Name context={context} campaign={campaign} /> },
    {
      label: list.status,
      cell: campaign => {
        const status = getDisplayStatus(campaign, context.now)
        return <span class={`badge ${badgeClasses[status] ?? 'plain'}`}>{statuses[status]}</span>
      }
    },
    { label: list.collected, sort: 'collected', cell: campaign => <Collected context={context} campaign={campaign} /> },
    {
      label: list.donations,
      sort: 'donations',
      isNumber: true,
      cell: campaign => <DonationCount context={context} campaign={campaign} />
    },
    {
      label: isDeleted ? statuses.deleted : list.ends,
      ...(isDeleted ? {} : { sort: 'ends' }),
      cell: ({ endsAt, deletedAt }) => {
        const at = deletedAt ?? endsAt
        return at === null ? (
          <span class="muted nowrap">{list.noEnd}</span>
        ) : (
          <time dateTime={at}>{formatDay(language, toLocalDay(context.site.timezone, new Date(at)))}</time>
        )
      }
    },
    {
      label: list.languages,
      cell: campaign => (
        <LanguageMarks context={context} written={languages.filter(one => getText(campaign, one) !== undefined)} />
      )
    }
  ]
  const acts = {
    label: getMessages('admin', language).actions,
    cell: (campaign: Campaign) => <RowActions context={context} campaign={campaign} />
  }
  return [...columns, acts]
}

function Name({ context, campaign }: { context: AdminContext; campaign: Campaign }) {
  const { name, lang } = getCampaignText(campaign, context.language)
  if (campaign.deletedAt !== undefined) return <span lang={lang}>{name}</span>
  return (
    <a href={`${menu}/${campaign.id}`} lang={lang}>
      {name}
    </a>
  )
}

function Collected({ context: { language }, campaign }: { context: AdminContext; campaign: Campaign }) {
  const strings = getMessages('campaign', language).list
  const { currency, progressPercent } = campaign
  const collected = formatMoney(language, currency, campaign.amountDonatedSoFar)
  const target = strings.ofTarget({ target: formatMoney(language, currency, campaign.targetAmount) })
  return (
    <div class="collected">
      <p>
        <strong>{collected}</strong> <span class="muted">{target}</span>
      </p>
      <progress
        value={Math.min(progressPercent, 100)}
        max="100"
        aria-label={strings.progress({ name: getCampaignText(campaign, language).name })}
        aria-valuetext={`${formatNumber(language, Math.floor(progressPercent))} %`}
      />
    </div>
  )
}

function DonationCount({ context, campaign }: { context: AdminContext; campaign: Campaign }) {
  const count = formatNumber(context.language, campaign.donationCount)
  if (!context.hasRole('treasurer')) return <>{count}</>
  const { name } = getCampaignText(campaign, context.language)
  const label = getMessages('campaign', context.language).list.donationsOf({ name })
  return (
    <a class="figure-link" href={withQuery('/admin/donations', { campaign: campaign.id })}>
      {count} <span class="visually-hidden">{label}</span>
    </a>
  )
}

function RowActions({ context, campaign }: { context: AdminContext; campaign: Campaign }) {
  const { list } = getMessages('campaign', context.language)
  const heard = <span class="visually-hidden">: {getCampaignText(campaign, context.language).name}</span>
  if (campaign.deletedAt !== undefined) {
    const label = (
      <>
        {list.restore}
        {heard}
      </>
    )
    return (
      <ActionButton
        context={context}
        action={`${menu}/${campaign.id}/restore`}
        label={label}
        fields={{ back: getListQuery(context) }}
      />
    )
  }
  if (campaign.status === 'draft') return null
  return (
    <a class="view-link" href={getCampaignPath(campaign, context.language)}>
      {list.view}
      {heard}
    </a>
  )
}

export async function downloadCampaigns(context: AdminContext): Promise<Download> {
  const { language } = context
  const { list, csv: names, statuses } = getMessages('campaign', language)
  const csv = newCsvWriter(language)
  const found = await findCampaigns(context)
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
    csv.formatRow([
      String(campaign.id),
      getCampaignText(campaign, language).name,
      statuses[getDisplayStatus(campaign, context.now)],
      campaign.amountDonatedSoFar,
      campaign.amountTransferred,
      campaign.targetAmount,
      campaign.donationMinimum,
      campaign.currency,
      String(campaign.donationCount),
      campaign.startsAt,
      campaign.endsAt,
      campaign.createdAt,
      languages.filter(one => getText(campaign, one) !== undefined).join(', ')
    ])
  )
  return {
    text: csv.formatHeader(head) + lines.join(''),
    type: 'text/csv; charset=utf-8',
    fileName: `campaigns-${context.now.toISOString().slice(0, 10)}.csv`
  }
}
