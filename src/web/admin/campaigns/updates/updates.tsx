import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate, UpdateMailing } from '#fundraising/campaigns/updates/schema.ts'
import { languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatDay } from '../../../format/format.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { withQuery } from '../../../server/api-client.ts'
import { getUpdatePath } from '../../../server/campaign-paths.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import { formBytesMax } from '../../images/image-field.tsx'
import { LanguageMarks } from '../../shared/calendar/fields.tsx'
import { buildConfirmPage } from '../../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../../shared/context.ts'
import { type Column, Table } from '../../shared/table.tsx'
import { confirmMailing, MailingPart, sendMailing } from './mailing.tsx'
import { createUpdate, saveUpdate } from './save-update.ts'
import { type UpdateDraft, UpdateForm } from './update-form.tsx'
import { loadDraft, newDraft } from './update-input.ts'
import { getUpdatesMenu, getUpdateTitle, updatesPattern } from './update-paths.ts'

const menu = '/admin/campaigns'
const writers: AdminRole[] = ['editor', 'treasurer']
const scripts = ['event-form', 'editor']

/** News about a campaign. */
export function registerUpdateRoutes(console: AdminRouter): void {
  console.get(updatesPattern, writers, showUpdates)
  console.get(`${updatesPattern}/new`, writers, async context => {
    await loadCampaign(context)
    return buildNewPage(context, await newDraft(context))
  })
  console.post(
    `${updatesPattern}/new`,
    writers,
    async context => await createUpdate(context, draft => buildNewPage(context, draft)),
    formBytesMax
  )
  console.get(
    `${updatesPattern}/:update`,
    writers,
    async context => await buildEditor(context, await loadDraft(context))
  )
  console.post(
    `${updatesPattern}/:update`,
    writers,
    async context => await saveUpdate(context, async draft => await buildEditor(context, draft)),
    formBytesMax
  )
  console.get(`${updatesPattern}/:update/delete`, writers, confirmDelete)
  console.post(`${updatesPattern}/:update/delete`, writers, remove)
  console.get(`${updatesPattern}/:update/mailing`, writers, confirmMailing)
  console.post(`${updatesPattern}/:update/mailing`, writers, sendMailing)
}

async function loadCampaign({ api, params }: AdminContext): Promise<Campaign> {
  return (await api.get<Campaign>(`/campaigns/${encodeURIComponent(params.id ?? '')}`)).body
}

/** More than a campaign has. */
const updatesMax = 200

async function showUpdates(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('update', language)
  const campaign = await loadCampaign(context)
  const { body: updates } = await context.api.get<CampaignUpdate[]>(`/campaigns/${campaign.id}/updates`, {
    limit: updatesMax
  })
  const { name } = getCampaignText(campaign, language)
  return {
    title: strings.title({ campaign: name }),
    menu,
    actions: (
      <>
        <a class="button quiet" href={`${menu}/${campaign.id}`}>
          {strings.back}
        </a>
        <a class="button" href={`${getUpdatesMenu(context)}/new`}>
          {strings.create}
        </a>
      </>
    ),
    body: (
      <Table
        context={context}
        caption={strings.title({ campaign: name })}
        columns={buildColumns(context, campaign)}
        rows={updates}
        empty={<p>{strings.list.empty}</p>}
      />
    )
  }
}

function buildColumns(context: AdminContext, campaign: Campaign): Column<CampaignUpdate>[] {
  const { language, site } = context
  const { list, statuses } = getMessages('update', language)
  return [
    {
      label: list.name,
      isHead: true,
      cell: update => <a href={`${getUpdatesMenu(context)}/${update.id}`}>{getUpdateTitle(context, update)}</a>
    },
    { label: list.date, cell: ({ date }) => <time dateTime={date}>{formatDay(language, date)}</time> },
    {
      label: list.status,
      cell: ({ status }) => (
        <span class={status === 'published' ? 'badge good' : 'badge plain'}>{statuses[status]}</span>
      )
    },
    {
      label: list.sent,
      cell: ({ sentAt }) =>
        sentAt == null ? (
          <span class="muted">{list.notSent}</span>
        ) : (
          <time dateTime={sentAt}>{formatDateTime(language, sentAt, site.timezone)}</time>
        )
    },
    {
      label: list.languages,
      cell: ({ texts }) => (
        <LanguageMarks context={context} written={languages.filter(one => texts[one] !== undefined)} />
      )
    },
    {
      label: getMessages('admin', language).actions,
      cell: update =>
        update.status === 'draft' || campaign.status === 'draft' ? null : (
          <a class="view-link" href={getUpdatePath(campaign, update.id, language)}>
            {list.view}
            <span class="visually-hidden">: {getUpdateTitle(context, update)}</span>
          </a>
        )
    }
  ]
}

function getStatusCode({ errors, general }: UpdateDraft): number {
  return general === undefined && Object.keys(errors).length === 0 ? 200 : 422
}

function buildNewPage(context: AdminContext, draft: UpdateDraft): AdminPage {
  const strings = getMessages('update', context.language)
  return {
    title: strings.createTitle,
    menu,
    scripts,
    status: getStatusCode(draft),
    body: <UpdateForm context={context} action={`${getUpdatesMenu(context)}/new`} draft={draft} />
  }
}

async function buildEditor(context: AdminContext, draft: UpdateDraft): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('update', language).form
  const { saved } = draft
  if (saved === undefined) return buildNewPage(context, draft)
  const [campaign, { body: mailing }] = await Promise.all([
    loadCampaign(context),
    context.api.get<UpdateMailing>(`/campaigns/${saved.campaignId}/updates/${saved.id}/mailing`)
  ])
  const own = `${getUpdatesMenu(context)}/${saved.id}`
  return {
    title: getUpdateTitle(context, saved),
    menu,
    scripts,
    status: getStatusCode(draft),
    actions: (
      <>
        <a class="button quiet" href={getUpdatesMenu(context)}>
          {getMessages('update', language).link}
        </a>
        {saved.status === 'draft' || campaign.status === 'draft' ? null : (
          <a class="button quiet" href={getUpdatePath(campaign, saved.id, language)}>
            {strings.view}
          </a>
        )}
      </>
    ),
    body: (
      <>
        <UpdateForm context={context} action={own} draft={draft} />
        <MailingPart context={context} mailing={mailing} action={`${own}/mailing`} />
        <div class="actions editor-end">
          <a class="button small quiet danger" href={`${own}/delete`}>
            {strings.delete}
          </a>
        </div>
      </>
    )
  }
}

async function confirmDelete(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('update', context.language).form
  const { saved } = await loadDraft(context)
  const own = `${getUpdatesMenu(context)}/${saved?.id ?? ''}`
  return buildConfirmPage(context, {
    title: strings.delete,
    text: strings.deleteText({ title: saved === undefined ? '' : getUpdateTitle(context, saved) }),
    menu,
    action: `${own}/delete`,
    yes: strings.deleteYes,
    no: { label: strings.cancel, href: own }
  })
}

async function remove(context: AdminContext): Promise<Redirect> {
  const { id = '', update = '' } = context.params
  await context.api.delete(`/campaigns/${encodeURIComponent(id)}/updates/${encodeURIComponent(update)}`)
  context.flash({ text: getMessages('update', context.language).form.deleted })
  return redirect(withQuery(getUpdatesMenu(context), {}), 303)
}
