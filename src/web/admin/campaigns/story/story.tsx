import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import type { Image } from '../../../server/calendar-api.ts'
import { getCampaignPath, getCampaignText } from '../../../server/campaign-text.ts'
import { getFormField } from '../../../server/context.ts'
import { listOfferedImages } from '../../events/event-choices.ts'
import { formBytesMax } from '../../images/image-field.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter, SitePage } from '../../shared/context.ts'
import { ConflictNote, hasErrors, listFieldDifferences } from '../../shared/editor.tsx'
import { isConflict, toFormErrors } from '../../shared/form.tsx'
import { withAddedPictures } from './added-pictures.ts'
import type { StoryDraft } from './row-tools.tsx'
import { StoryForm } from './story-form.tsx'
import {
  applyStep,
  describeStory,
  parseStep,
  parseStoryInput,
  type StoryInput,
  toFieldNames,
  toStoryInput,
  validateStory
} from './story-input.ts'
import { buildStoryPreview } from './story-preview.tsx'

const menu = '/admin/campaigns'
const writers: AdminRole[] = ['editor', 'treasurer']

export function registerStoryRoutes(console: AdminRouter): void {
  console.get(`${menu}/:id/story`, writers, showStory)
  console.post(`${menu}/:id/story`, writers, saveStory, formBytesMax)
  console.post(`${menu}/:id/story/preview`, writers, previewStory, formBytesMax)
}

interface Loaded {
  campaign: Campaign
  story: CampaignStory
  etag: string
  /** Undefined for roles without access to uploads. */
  images: Image[] | undefined
}

async function loadStory(context: AdminContext): Promise<Loaded> {
  const path = `/campaigns/${encodeURIComponent(context.params.id ?? '')}`
  const [{ body: campaign }, { body: story, etag }, images] = await Promise.all([
    context.api.get<Campaign>(path),
    context.api.get<CampaignStory>(`${path}/story`),
    context.hasRole('editor') ? listOfferedImages(context) : undefined
  ])
  return { campaign, story, etag, images }
}

function newDraft(context: AdminContext, { campaign, story }: Loaded, input: StoryInput, etag: string): StoryDraft {
  const written = JSON.stringify(story)
  return {
    input,
    // A language that the site no longer has is shown as long as the story has texts in it.
    languages: languages.filter(one => context.site.languages.includes(one) || written.includes(`"${one}":`)),
    currency: campaign.currency,
    path: `${menu}/${campaign.id}/story`,
    etag,
    errors: {}
  }
}

async function showStory(context: AdminContext): Promise<AdminPage> {
  const loaded = await loadStory(context)
  return buildPage(
    context,
    loaded,
    newDraft(context, loaded, toStoryInput(loaded.story, context.language), loaded.etag)
  )
}

async function saveStory(context: AdminContext): Promise<AdminPage | Redirect> {
  const loaded = await loadStory(context)
  const { input, errors } = await withAddedPictures(context, parseStoryInput(context), loaded.images)
  const draft = { ...newDraft(context, loaded, input, getFormField(context, 'etag') || loaded.etag), errors }
  const step = parseStep(getFormField(context, 'do'))
  if (step !== undefined) return buildPage(context, loaded, { ...draft, step, input: applyStep(input, step) })

  const result = validateStory(context, input)
  if ('errors' in result || hasErrors(draft)) {
    return buildPage(context, loaded, { ...draft, errors: { ...('errors' in result ? result.errors : {}), ...errors } })
  }
  try {
    await context.api.patch<CampaignStory>(`/campaigns/${loaded.campaign.id}/story`, result.body, {
      'if-match': draft.etag
    })
    context.flash({ text: getMessages('story-admin', context.language).saved })
    return redirect(draft.path, 303)
  } catch (error) {
    if (isConflict(error)) return buildPage(context, loaded, { ...draft, etag: loaded.etag }, true)
    const { fields, general } = toFormErrors(error)
    return buildPage(context, loaded, { ...draft, errors: toFieldNames(fields), general })
  }
}

async function previewStory(context: AdminContext): Promise<SitePage> {
  const { campaign } = await loadStory(context)
  return await buildStoryPreview(context, campaign, parseStoryInput(context))
}

function buildPage(context: AdminContext, loaded: Loaded, draft: StoryDraft, isStale = false): AdminPage {
  const strings = getMessages('story-admin', context.language)
  const { campaign, story, images } = loaded
  const { name } = getCampaignText(campaign, context.language)
  const [en, de] = languages.map(language =>
    strings.labelIn({ label: strings.text, language: formatLanguageName(language, context.language) })
  ) as [string, string]
  const { pictures, items, milestones } = strings
  const labels = { text_en: en, text_de: de, pictures, items, milestones }
  return {
    title: strings.title({ name }),
    menu,
    scripts: ['event-form', 'editor'],
    status: isStale ? 412 : hasErrors(draft) ? 422 : 200,
    actions: (
      <>
        <a class="button quiet" href={`${menu}/${campaign.id}`}>
          {strings.back}
        </a>
        {campaign.status === 'draft' ? null : (
          <a class="button quiet" href={getCampaignPath(campaign, context.language)}>
            {strings.view}
          </a>
        )}
      </>
    ),
    body: (
      <>
        {isStale ? (
          <ConflictNote
            context={context}
            differences={listFieldDifferences(
              labels,
              describeStory(toStoryInput(story, context.language)),
              describeStory(draft.input)
            )}
            reload={draft.path}
          />
        ) : null}
        <StoryForm context={context} draft={draft} images={images} />
      </>
    )
  }
}
