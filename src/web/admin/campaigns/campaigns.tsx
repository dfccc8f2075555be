import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { languages } from '#platform/language.ts'
import type { Site } from '#platform/site/schema.ts'
import { withQuery } from '../../api.ts'
import type { Image } from '../../calendar-api.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { type Redirect, redirect } from '../../page.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { field } from '../../visit.ts'
import { AccountRequestNotices, listAccountRequests } from '../account-requests/account-request-notices.tsx'
import { textLanguage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { editorPage, isRefused } from '../editor.tsx'
import { findImage, offeredImages } from '../events/event-choices.ts'
import { Act, isConflict } from '../form.tsx'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { backTo } from '../list-address.ts'
import { AccountNotices, accountChangesOf } from './account-changes.tsx'
import { findCode } from './campaign-code.ts'
import { type CampaignDraft, CampaignForm } from './campaign-form.tsx'
import {
  type CampaignInput,
  campaignInputFrom,
  campaignInputOf,
  newCampaignInput,
  readCampaign,
  textIn
} from './campaign-input.ts'
import { listDifferences, toRefusal } from './campaign-labels.ts'
import { downloadCampaigns, showCampaigns } from './campaign-list.tsx'
import { saveOrRequest } from './campaign-saving.ts'

const menu = '/admin/campaigns'
const writers: ConsoleRole[] = ['editor', 'treasurer']
const islands = ['event-form', 'console']

export function campaignPages(console: Console): void {
  console.show(menu, [...writers, 'viewer'], showCampaigns)
  console.show(`${menu}.csv`, [...writers, 'viewer'], downloadCampaigns)
  console.show(`${menu}/new`, writers, showNew)
  console.take(`${menu}/new`, writers, create, formBytesMax)
  console.show(`${menu}/:id`, [...writers, 'viewer'], showEditor)
  console.take(`${menu}/:id`, writers, save, formBytesMax)
  console.take(`${menu}/:id/delete`, writers, remove)
  console.take(`${menu}/:id/restore`, [], restore)
}

function apiPath({ params }: Desk): string {
  return `/campaigns/${encodeURIComponent(params.id ?? '')}`
}

/** Those who edit nothing of the calendar have no uploads. */
async function imagesFor(desk: Desk): Promise<Image[] | undefined> {
  return desk.may('editor') ? await offeredImages(desk) : undefined
}

async function showNew(desk: Desk): Promise<ConsolePage> {
  const [site, images] = await Promise.all([desk.api.get<Site>('/site'), imagesFor(desk)])
  return newPage(desk, {
    language: textLanguage(desk),
    etag: '',
    input: newCampaignInput(site.body.account),
    saved: undefined,
    images,
    image: undefined,
    needsSecondPerson: site.body.secondPersonForAccounts,
    errors: {}
  })
}

function newPage(desk: Desk, draft: CampaignDraft): ConsolePage {
  return editorPage(desk, {
    title: campaignWords[desk.language].form.createTitle,
    menu,
    language: draft.language,
    wrong: draft,
    islands,
    children: <CampaignForm desk={desk} draft={draft} />
  })
}

async function sentDraft(desk: Desk, saved: Campaign | undefined, etag: string): Promise<CampaignDraft> {
  const sent = campaignInputFrom(desk)
  const { input, errors } = desk.may('editor')
    ? await withUpload(desk, sent)
    : { input: { ...sent, image: '' }, errors: {} }
  const [images, site] = await Promise.all([imagesFor(desk), desk.api.get<Site>('/site')])
  const image = images === undefined ? undefined : await findImage(desk, images, input.image)
  const needsSecondPerson = site.body.secondPersonForAccounts
  return { language: textLanguage(desk), etag, input, saved, images, image, needsSecondPerson, errors }
}

async function create(desk: Desk): Promise<ConsolePage | Redirect> {
  const draft = await sentDraft(desk, undefined, '')
  const read = readCampaign(desk, draft.input, draft)
  if ('errors' in read || isRefused(draft)) {
    return newPage(desk, { ...draft, errors: { ...('errors' in read ? read.errors : {}), ...draft.errors } })
  }
  try {
    const { body } = await desk.api.post<Campaign>('/campaigns', read.body)
    desk.say({ text: campaignWords[desk.language].form.created })
    return redirect(withQuery(`${menu}/${body.id}`, { lang: draft.language }), 303)
  } catch (error) {
    return newPage(desk, { ...draft, ...toRefusal(desk, error) })
  }
}

async function showEditor(desk: Desk): Promise<ConsolePage | Redirect> {
  const { body: saved, etag } = await desk.api.get<Campaign>(apiPath(desk))
  // Who cannot edit sees it as everybody does.
  if (!desk.may(...writers)) return redirect(pathToCampaign(saved, desk.language))
  const language = editedLanguage(desk, saved)
  const [images, code, accounts, site] = await Promise.all([
    imagesFor(desk),
    findCode(desk, saved),
    accountChangesOf(desk, saved.id),
    desk.api.get<Site>('/site')
  ])
  const needsSecondPerson = site.body.secondPersonForAccounts
  const input = campaignInputOf(desk, saved, language)
  const image = images === undefined ? undefined : await findImage(desk, images, input.image)
  const requests = await requestsOf(desk, saved)
  const shown = { language, etag, input, saved, images, image, code, accounts, requests, needsSecondPerson, errors: {} }
  return campaignEditor(desk, saved, shown)
}

/** What waits for a second person: at most one. */
async function requestsOf(desk: Desk, { id }: Campaign): Promise<AccountRequest[]> {
  return (await listAccountRequests(desk)).filter(({ campaignId }) => campaignId === id)
}

/** The one the address asks for, else one that is written. */
function editedLanguage(desk: Desk, saved: Campaign) {
  const asked = textLanguage(desk)
  return desk.query.lang === undefined && textIn(saved, asked) === undefined ? saved.language : asked
}

function campaignEditor(desk: Desk, saved: Campaign, draft: CampaignDraft, theirs?: CampaignInput): ConsolePage {
  const words = campaignWords[desk.language].form
  const { language } = draft
  const { name } = campaignText(saved, language)
  return editorPage(desk, {
    title: name,
    menu,
    id: saved.id,
    language,
    written: languages.filter(one => textIn(saved, one) !== undefined),
    wrong: draft,
    differences: theirs && listDifferences(desk, theirs, draft.input),
    islands,
    actions: (
      <>
        {saved.status === 'draft' ? null : (
          <a class="button quiet" href={pathToCampaign(saved, language)}>
            {words.view}
          </a>
        )}
        {desk.may('treasurer') ? (
          <>
            <a class="button quiet" href={withQuery('/admin/donations', { campaign: saved.id })}>
              {words.donations}
            </a>
            <a class="button quiet" href={withQuery('/admin/donations/new', { campaign: saved.id })}>
              {words.record}
            </a>
          </>
        ) : null}
      </>
    ),
    children: (
      <>
        <AccountNotices desk={desk} changes={draft.accounts ?? []} />
        <AccountRequestNotices desk={desk} requests={draft.requests ?? []} />
        <CampaignForm desk={desk} draft={draft} />
      </>
    ),
    end: (
      <Act
        desk={desk}
        action={`${menu}/${saved.id}/delete`}
        label={words.delete}
        fields={{ name: name.slice(0, 100) }}
        look="small quiet danger"
      />
    )
  })
}

async function save(desk: Desk): Promise<ConsolePage | Redirect> {
  const { body: saved, etag } = await desk.api.get<Campaign>(apiPath(desk))
  const draft = await sentDraft(desk, saved, field(desk, 'etag') || etag)
  const read = readCampaign(desk, draft.input, draft)
  if ('errors' in read || isRefused(draft)) {
    const errors = { ...('errors' in read ? read.errors : {}), ...draft.errors }
    return campaignEditor(desk, saved, { ...draft, errors })
  }
  try {
    const isRequested = await saveOrRequest(desk, saved, read.body, draft.etag)
    const { requested } = accountRequestWords[desk.language]
    desk.say({ text: isRequested ? requested : campaignWords[desk.language].form.saved })
    const isEmptied = draft.input.name === ''
    return redirect(withQuery(`${menu}/${saved.id}`, isEmptied ? {} : { lang: draft.language }), 303)
  } catch (error) {
    if (!isConflict(error)) return campaignEditor(desk, saved, { ...draft, ...toRefusal(desk, error) })
    const now = await desk.api.get<Campaign>(apiPath(desk))
    const theirs = campaignInputOf(desk, now.body, draft.language)
    return campaignEditor(desk, now.body, { ...draft, saved: now.body, etag: now.etag }, theirs)
  }
}

/** Only an admin can take it back; others are told who can. */
async function remove(desk: Desk): Promise<Redirect> {
  await desk.api.delete(apiPath(desk))
  const { form } = campaignWords[desk.language]
  const name = field(desk, 'name')
  if (desk.may()) {
    const undo = { kind: 'restore-campaign', params: { id: desk.params.id ?? '' }, fields: { name } } as const
    desk.say({ text: form.deleted(name), undo })
  } else {
    desk.say({ text: form.deletedByOthers(name) })
  }
  return redirect(menu, 303)
}

async function restore(desk: Desk): Promise<Redirect> {
  const { body } = await desk.api.post<Campaign>(`${apiPath(desk)}/restore`)
  desk.say({ text: campaignWords[desk.language].form.restored(campaignText(body, desk.language).name) })
  return redirect(backTo(menu, field(desk, 'back')), 303)
}
