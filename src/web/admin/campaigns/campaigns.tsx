import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { languages } from '#platform/language.ts'
import type { Site } from '#platform/site/schema.ts'
import { withQuery } from '../../api.ts'
import type { Image } from '../../calendar-api.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { type Redirect, redirect } from '../../page.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { field } from '../../visit.ts'
import { textLanguage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { type Difference, differencesIn, editorPage, isRefused } from '../editor.tsx'
import { findImage, offeredImages } from '../events/event-choices.ts'
import { Act, isConflict, refusedForm } from '../form.tsx'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { backTo } from '../list-address.ts'
import { spoken } from '../spoken.ts'
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
import { downloadCampaigns, showCampaigns } from './campaign-list.tsx'

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
  const images = await imagesFor(desk)
  const image = images === undefined ? undefined : await findImage(desk, images, input.image)
  return { language: textLanguage(desk), etag, input, saved, images, image, errors }
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
    return newPage(desk, { ...draft, ...refusal(desk, error) })
  }
}

/** What the API refused, by the fields of the form and in their words. */
function refusal(desk: Desk, error: unknown): Pick<CampaignDraft, 'errors' | 'general'> {
  const { fields, general } = refusedForm(error)
  const { wrong } = campaignWords[desk.language]
  const said = spoken(fields, labelsByPath(desk), fields.imageUrl === undefined ? {} : { imageUrl: wrong.imageUrl })
  const errors = Object.entries(said).map(([path, message]) => [
    namesByPath[path] ?? (/^translations/.test(path) ? 'name' : /^presetAmounts/.test(path) ? 'presets' : path),
    message
  ])
  return { errors: Object.fromEntries(errors), general }
}

const namesByPath: Record<string, keyof CampaignInput> = {
  name: 'name',
  description: 'story',
  donationMinimum: 'minimum',
  targetAmount: 'target',
  presetAmounts: 'presets',
  'account/iban': 'iban',
  'account/name': 'holder',
  'account/nameOfBank': 'bank',
  startsAt: 'startDate',
  endsAt: 'endDate',
  status: 'status',
  imageUrl: 'imageUrl',
  imageAlt: 'imageAlt'
}

/** What the fields are called, in the order of the form. */
function labelsOf(desk: Desk): Record<keyof CampaignInput, string> {
  const { form } = campaignWords[desk.language]
  return {
    name: form.name,
    story: form.story,
    target: form.target,
    minimum: form.minimum,
    presets: form.presets,
    holder: form.holder,
    iban: form.iban,
    bank: form.bank,
    startDate: form.startDate,
    startTime: form.startTime,
    endDate: form.endDate,
    endTime: form.endTime,
    status: form.status,
    image: form.image,
    imageUrl: form.imageUrlOnly,
    imageAlt: form.imageAlt
  }
}

function labelsByPath(desk: Desk): Record<string, string> {
  const labels = labelsOf(desk)
  return Object.fromEntries(Object.entries(namesByPath).map(([path, name]) => [path, labels[name]]))
}

async function showEditor(desk: Desk): Promise<ConsolePage | Redirect> {
  const { body: saved, etag } = await desk.api.get<Campaign>(apiPath(desk))
  // Who cannot edit sees it as everybody does.
  if (!desk.may(...writers)) return redirect(pathToCampaign(saved, desk.language))
  const language = editedLanguage(desk, saved)
  const [images, code, accounts] = await Promise.all([
    imagesFor(desk),
    findCode(desk, saved),
    accountChangesOf(desk, saved.id)
  ])
  const input = campaignInputOf(desk, saved, language)
  const image = images === undefined ? undefined : await findImage(desk, images, input.image)
  return campaignEditor(desk, saved, { language, etag, input, saved, images, image, code, accounts, errors: {} })
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
    differences: theirs && differencesOf(desk, theirs, draft.input),
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

function differencesOf(desk: Desk, theirs: CampaignInput, yours: CampaignInput): Difference[] {
  const statuses: Record<string, string> = campaignWords[desk.language].statuses
  const readable = (input: CampaignInput) => ({
    ...input,
    status: statuses[input.status] ?? input.status,
    iban: input.iban.replaceAll(' ', ''),
    image: input.image === '' ? '' : `#${input.image}`
  })
  return differencesIn(labelsOf(desk), readable(theirs), readable(yours))
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
    await desk.api.put<Campaign>(apiPath(desk), read.body, { 'if-match': draft.etag })
    desk.say({ text: campaignWords[desk.language].form.saved })
    const isEmptied = draft.input.name === ''
    return redirect(withQuery(`${menu}/${saved.id}`, isEmptied ? {} : { lang: draft.language }), 303)
  } catch (error) {
    if (!isConflict(error)) return campaignEditor(desk, saved, { ...draft, ...refusal(desk, error) })
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
    const undo = { action: `${menu}/${desk.params.id}/restore`, fields: { name } }
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
