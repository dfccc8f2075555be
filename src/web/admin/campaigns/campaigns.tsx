import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Site } from '#platform/site/schema.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import type { Image } from '../../server/calendar-api.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import { getFormField } from '../../server/context.ts'
import { AccountRequestNotices, listAccountRequests } from '../account-requests/account-request-notices.tsx'
import { findImage, listOfferedImages } from '../events/event-choices.ts'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { getTextLanguage } from '../shared/calendar/fields.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { buildEditorPage, hasErrors } from '../shared/editor.tsx'
import { ActionButton, isConflict } from '../shared/form.tsx'
import { parseInput } from '../shared/forms/form-input.ts'
import { getListPath } from '../shared/list-query.ts'
import { AccountNotices, listAccountChanges } from './account-changes.tsx'
import { type CampaignInput, campaignFields } from './campaign-fields.ts'
import { type CampaignDraft, CampaignForm } from './campaign-form.tsx'
import {
  getText,
  listDifferences,
  newCampaignInput,
  toCampaignErrors,
  toCampaignInput,
  validateCampaign
} from './campaign-input.ts'
import { CampaignLinks } from './campaign-links.tsx'
import { downloadCampaigns, showCampaigns } from './campaign-list.tsx'
import { findGirocode } from './girocode.ts'
import { saveOrRequest } from './save-campaign.ts'
import { StoryActions } from './story/story-actions.tsx'

const menu = '/admin/campaigns'
const writers: AdminRole[] = ['editor', 'treasurer']
const scripts = ['event-form', 'console']

export function registerCampaignRoutes(console: AdminRouter): void {
  console.get(menu, [...writers, 'viewer'], showCampaigns)
  console.get(`${menu}.csv`, [...writers, 'viewer'], downloadCampaigns)
  console.get(`${menu}/new`, writers, showNew)
  console.post(`${menu}/new`, writers, create, formBytesMax)
  console.get(`${menu}/:id`, [...writers, 'viewer'], showEditor)
  console.post(`${menu}/:id`, writers, save, formBytesMax)
  console.post(`${menu}/:id/delete`, writers, remove)
  console.post(`${menu}/:id/restore`, [], restore)
}

function getApiPath({ params }: AdminContext): string {
  return `/campaigns/${encodeURIComponent(params.id ?? '')}`
}

/** Undefined for roles without access to the calendar, which have no uploads. */
async function listImages(context: AdminContext): Promise<Image[] | undefined> {
  return context.hasRole('editor') ? await listOfferedImages(context) : undefined
}

async function showNew(context: AdminContext): Promise<AdminPage> {
  const [site, images] = await Promise.all([context.api.get<Site>('/site'), listImages(context)])
  return buildNewPage(context, {
    language: getTextLanguage(context),
    etag: '',
    input: newCampaignInput(site.body.account),
    saved: undefined,
    images,
    image: undefined,
    needsSecondPerson: site.body.secondPersonForAccounts,
    errors: {}
  })
}

function buildNewPage(context: AdminContext, draft: CampaignDraft): AdminPage {
  return buildEditorPage(context, {
    title: getMessages('campaign', context.language).form.createTitle,
    menu,
    language: draft.language,
    wrong: draft,
    scripts: scripts,
    children: <CampaignForm context={context} draft={draft} />
  })
}

async function readDraft(context: AdminContext, saved: Campaign | undefined, etag: string): Promise<CampaignDraft> {
  const sent = parseInput(context, campaignFields)
  const { input, errors } = context.hasRole('editor')
    ? await withUpload(context, sent)
    : { input: { ...sent, image: '' }, errors: {} }
  const [images, site] = await Promise.all([listImages(context), context.api.get<Site>('/site')])
  const image = images === undefined ? undefined : await findImage(context, images, input.image)
  const needsSecondPerson = site.body.secondPersonForAccounts
  return { language: getTextLanguage(context), etag, input, saved, images, image, needsSecondPerson, errors }
}

async function create(context: AdminContext): Promise<AdminPage | Redirect> {
  const draft = await readDraft(context, undefined, '')
  const read = validateCampaign(context, draft.input, draft)
  if ('errors' in read || hasErrors(draft)) {
    return buildNewPage(context, { ...draft, errors: { ...('errors' in read ? read.errors : {}), ...draft.errors } })
  }
  try {
    const { body } = await context.api.post<Campaign>('/campaigns', read.body)
    context.flash({ text: getMessages('campaign', context.language).form.created })
    return redirect(withQuery(`${menu}/${body.id}`, { lang: draft.language }), 303)
  } catch (error) {
    return buildNewPage(context, { ...draft, ...toCampaignErrors(context, error) })
  }
}

async function showEditor(context: AdminContext): Promise<AdminPage | Redirect> {
  const { body: saved, etag } = await context.api.get<Campaign>(getApiPath(context))
  // Users who cannot edit are sent to the public page.
  if (!context.hasRole(...writers)) return redirect(getCampaignPath(saved, context.language))
  const language = getEditedLanguage(context, saved)
  const [images, code, accounts, site] = await Promise.all([
    listImages(context),
    findGirocode(context, saved),
    listAccountChanges(context, saved.id),
    context.api.get<Site>('/site')
  ])
  const needsSecondPerson = site.body.secondPersonForAccounts
  const input = toCampaignInput(context, saved, language)
  const image = images === undefined ? undefined : await findImage(context, images, input.image)
  const requests = await listOwnRequests(context, saved)
  const shown = { language, etag, input, saved, images, image, code, accounts, requests, needsSecondPerson, errors: {} }
  return buildEditor(context, saved, shown)
}

/** Account changes that wait for a second person: at most one. */
async function listOwnRequests(context: AdminContext, { id }: Campaign): Promise<AccountRequest[]> {
  return (await listAccountRequests(context)).filter(({ campaignId }) => campaignId === id)
}

/** The language of the query, else one that has a text. */
function getEditedLanguage(context: AdminContext, saved: Campaign) {
  const requested = getTextLanguage(context)
  return context.query.lang === undefined && getText(saved, requested) === undefined ? saved.language : requested
}

function buildEditor(context: AdminContext, saved: Campaign, draft: CampaignDraft, theirs?: CampaignInput): AdminPage {
  const strings = getMessages('campaign', context.language).form
  const { language } = draft
  const { name } = getCampaignText(saved, language)
  return buildEditorPage(context, {
    title: name,
    menu,
    id: saved.id,
    language,
    written: languages.filter(one => getText(saved, one) !== undefined),
    wrong: draft,
    differences: theirs && listDifferences(context, theirs, draft.input),
    scripts: scripts,
    actions: (
      <>
        {saved.status === 'draft' ? null : (
          <a class="button quiet" href={getCampaignPath(saved, language)}>
            {strings.view}
          </a>
        )}
        <StoryActions context={context} campaign={saved} />
        <CampaignLinks context={context} id={saved.id} />
        {context.hasRole('treasurer') ? (
          <>
            <a class="button quiet" href={withQuery('/admin/donations', { campaign: saved.id })}>
              {strings.donations}
            </a>
            <a class="button quiet" href={withQuery('/admin/donations/new', { campaign: saved.id })}>
              {strings.record}
            </a>
          </>
        ) : null}
      </>
    ),
    children: (
      <>
        <AccountNotices context={context} changes={draft.accounts ?? []} />
        <AccountRequestNotices context={context} requests={draft.requests ?? []} />
        <CampaignForm context={context} draft={draft} />
      </>
    ),
    end: (
      <ActionButton
        context={context}
        action={`${menu}/${saved.id}/delete`}
        label={strings.delete}
        fields={{ name: name.slice(0, 100) }}
        look="small quiet danger"
      />
    )
  })
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const { body: saved, etag } = await context.api.get<Campaign>(getApiPath(context))
  const draft = await readDraft(context, saved, getFormField(context, 'etag') || etag)
  const read = validateCampaign(context, draft.input, draft)
  if ('errors' in read || hasErrors(draft)) {
    const errors = { ...('errors' in read ? read.errors : {}), ...draft.errors }
    return buildEditor(context, saved, { ...draft, errors })
  }
  try {
    const isRequested = await saveOrRequest(context, saved, read.body, draft.etag)
    const { requested } = getMessages('account-request', context.language)
    context.flash({ text: isRequested ? requested : getMessages('campaign', context.language).form.saved })
    const isEmptied = draft.input.name === ''
    return redirect(withQuery(`${menu}/${saved.id}`, isEmptied ? {} : { lang: draft.language }), 303)
  } catch (error) {
    if (!isConflict(error)) return buildEditor(context, saved, { ...draft, ...toCampaignErrors(context, error) })
    const now = await context.api.get<Campaign>(getApiPath(context))
    const theirs = toCampaignInput(context, now.body, draft.language)
    return buildEditor(context, now.body, { ...draft, saved: now.body, etag: now.etag }, theirs)
  }
}

/** Only an admin can restore it; the notice for others says so. */
async function remove(context: AdminContext): Promise<Redirect> {
  await context.api.delete(getApiPath(context))
  const { form } = getMessages('campaign', context.language)
  const name = getFormField(context, 'name')
  if (context.hasRole()) {
    const undo = { kind: 'restore-campaign', params: { id: context.params.id ?? '' }, fields: { name } } as const
    context.flash({ text: form.deleted({ name }), undo })
  } else {
    context.flash({ text: form.deletedByOthers({ name }) })
  }
  return redirect(menu, 303)
}

async function restore(context: AdminContext): Promise<Redirect> {
  const { body } = await context.api.post<Campaign>(`${getApiPath(context)}/restore`)
  context.flash({
    text: getMessages('campaign', context.language).form.restored({
      name: getCampaignText(body, context.language).name
    })
  })
  return redirect(getListPath(menu, getFormField(context, 'back')), 303)
}
