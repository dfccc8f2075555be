import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { languages } from '#platform/language.ts'
import { buildFieldText } from '#platform/messages/combine-texts.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem } from '#platform/problem.ts'
import { countPieces, describeTooMuchMarkup, piecesMax } from '#platform/rich-text/markup-cost.ts'
import { buildOwnHosts } from '#platform/rich-text/own-hosts.ts'
import { toRichTextIfChanged } from '#platform/rich-text/rich-text.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import * as campaigns from '../queries.ts'
import { type Texts, toRequiredTexts, toTexts } from '../texts.ts'
import type { StoryFields, StoryItem, StoryMilestone, StoryPicture } from './queries.ts'
import * as stories from './queries.ts'
import type { CampaignStoryPatch } from './schema.ts'

interface StoryUpdate {
  campaignId: number
  input: CampaignStoryPatch
  expected: IfMatch
  settings: Settings
  now?: Date
}

/** Applies a JSON merge patch to the story of a campaign. */
export async function patchStory(
  db: Database,
  by: Caller,
  { campaignId, input, expected, settings, now = new Date() }: StoryUpdate
): Promise<void> {
  requireMarkupBudget(input.text ?? {})
  const before = await stories.find(db, campaignId)
  // Before the transaction, because sanitizing may wait for a worker.
  const texts = await toStoryTexts(settings, before.texts, input.text)
  await db.transaction(async tx => {
    const locked = await campaigns.lock(tx, campaignId)
    if (locked === undefined) throw newCampaignNotFoundProblem(campaignId)
    const current = await stories.find(tx, campaignId)
    requireVersion(expected, current.version)
    const fields: StoryFields = {
      // A language that the patch omits keeps the text that another request may have saved since.
      texts: input.text === undefined ? current.texts : mergeTexts(current.texts, texts, input.text),
      pictures: input.pictures === undefined ? current.pictures : (input.pictures ?? []).map(toPicture),
      items: input.items === undefined ? current.items : (input.items ?? []).map(toItem),
      milestones: input.milestones === undefined ? current.milestones : toMilestones(input.milestones ?? [])
    }
    await stories.put(tx, campaignId, fields, now)
    const details = { changed: Object.keys(input) }
    await record(tx, { by, now }, 'campaign.story_updated', {
      ...{ subject: 'campaign', id: campaignId, details },
      endsSample: true
    })
  })
}

function requireMarkupBudget(texts: { [language in keyof Texts]?: string | null }): void {
  const pieces = languages.map(language => countPieces(texts[language] ?? ''))
  const sum = pieces.reduce((total, count) => total + count, 0)
  if (sum <= piecesMax) return
  const most = languages[pieces.indexOf(Math.max(...pieces))]
  throw newFieldProblem(
    400,
    `/text/${most}`,
    'too-much-markup',
    buildFieldText(`text.${most}`, describeTooMuchMarkup(sum))
  )
}

async function toStoryTexts(settings: Settings, before: Texts, input: CampaignStoryPatch['text']): Promise<Texts> {
  const context = { site: { ownHosts: buildOwnHosts(settings) } }
  const texts: Texts = {}
  for (const language of languages) {
    texts[language] = await toRichTextIfChanged(context, input?.[language] ?? '', before[language])
  }
  return texts
}

function mergeTexts(current: Texts, sanitized: Texts, input: CampaignStoryPatch['text']): Texts {
  if (input === null) return {}
  return toTexts(
    Object.fromEntries(
      languages.map(language => [
        language,
        (input?.[language] === undefined ? current[language] : sanitized[language]) ?? ''
      ])
    )
  )
}

function toPicture(
  { url, alt, caption, isDecorative = false }: NonNullable<CampaignStoryPatch['pictures']>[number],
  index: number
): StoryPicture {
  const texts = toTexts(alt)
  if (!isDecorative && Object.keys(texts).length === 0) {
    const field = `pictures.${index}.alt`
    throw newFieldProblem(
      400,
      `/pictures/${index}/alt`,
      'alt-missing',
      buildText('fundraising-problems', 'altMissing', { field })
    )
  }
  return { url, alt: isDecorative ? {} : texts, isDecorative, caption: toTexts(caption) }
}

function toItem(
  { title, text, amount, quantity = 1 }: NonNullable<CampaignStoryPatch['items']>[number],
  index: number
): StoryItem {
  return {
    title: toRequiredTexts(title, `/items/${index}/title`),
    text: toTexts(text),
    amountCents: amount,
    quantity
  }
}

function toMilestones(input: NonNullable<CampaignStoryPatch['milestones']>): StoryMilestone[] {
  return input
    .map(({ title, amount }, index) => ({
      title: toRequiredTexts(title, `/milestones/${index}/title`),
      amountCents: Number(amount)
    }))
    .sort((one, other) => one.amountCents - other.amountCents)
}
