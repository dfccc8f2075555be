import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { type Language, languages } from '#platform/language.ts'
import { countPieces, piecesMax } from '#platform/rich-text/markup-cost.ts'
import { buildOwnHosts } from '#platform/rich-text/own-hosts.ts'
import { toRichText } from '#platform/rich-text/rich-text.ts'
import { toLocalDay } from '../../dates.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import {
  newTooMuchMarkupProblem,
  newUpdateInFutureProblem,
  newUpdateNotFoundProblem,
  newUpdateWithoutTextProblem,
  newUpdateWithoutTitleProblem
} from '../../problems/updates.ts'
import * as campaigns from '../queries.ts'
import type { UpdateFields, UpdateRow } from './queries.ts'
import * as updates from './queries.ts'
import type { CampaignUpdatePatch, NewCampaignUpdate, UpdateTexts } from './schema.ts'

interface UpdateKey {
  campaignId: number
  id: number
}

type UpdateActor = Actor & { settings: Settings }

export async function createUpdate(
  db: Database,
  { by, settings, now = new Date() }: UpdateActor,
  campaignId: number,
  input: NewCampaignUpdate
): Promise<UpdateRow> {
  const date = input.date ?? toLocalDay(now, settings.timezone)
  const status = input.status ?? 'draft'
  const fields: UpdateFields = {
    status,
    date,
    texts: await sanitizeTexts(settings, mergeTexts({}, input.texts)),
    imageUrl: input.imageUrl ?? null,
    imageAlt: input.imageAlt ?? '',
    publishedAt: status === 'published' ? now.toISOString() : null
  }
  refuseFuture(date, settings, now)
  return await db.transaction(async tx => {
    if ((await campaigns.findTerms(tx, campaignId)) === undefined) throw newCampaignNotFoundProblem(campaignId)
    const row = await updates.insert(tx, campaignId, fields, now)
    await recordUpdate(tx, { by, now }, 'campaign_update.created', row)
    return row
  })
}

export async function patchUpdate(
  db: Database,
  { by, settings, expected, now = new Date() }: UpdateActor & { expected: IfMatch },
  key: UpdateKey,
  input: CampaignUpdatePatch
): Promise<UpdateRow> {
  // Sanitized before the transaction, because long texts take a while; unchanged texts stay as they are.
  const changed = await sanitizeTexts(settings, pickGiven(input.texts))
  return await db.transaction(async tx => {
    const before = await lockUpdate(tx, key)
    requireVersion(expected, before.version)
    const status = input.status ?? before.status
    const fields: UpdateFields = {
      status,
      date: input.date ?? before.date,
      texts: mergeTexts(before.texts, input.texts, changed),
      imageUrl: input.imageUrl === undefined ? before.imageUrl : input.imageUrl,
      imageAlt: input.imageAlt === undefined ? before.imageAlt : (input.imageAlt ?? ''),
      publishedAt: before.publishedAt ?? (status === 'published' ? now.toISOString() : null)
    }
    if (input.date !== undefined) refuseFuture(input.date, settings, now)
    const row = await updates.update(tx, key, fields, now)
    await recordUpdate(tx, { by, now }, 'campaign_update.updated', row)
    return row
  })
}

export async function deleteUpdate(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  key: UpdateKey
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockUpdate(tx, key)
    requireVersion(expected, before.version)
    await updates.remove(tx, key)
    await recordUpdate(tx, { by, now }, 'campaign_update.deleted', before)
  })
}

/** Locks the update of a campaign that is not deleted. */
export async function lockUpdate(tx: Database, key: UpdateKey): Promise<UpdateRow> {
  if ((await campaigns.findTerms(tx, key.campaignId)) === undefined) throw newCampaignNotFoundProblem(key.campaignId)
  const row = await updates.lock(tx, key)
  if (row === undefined) throw newUpdateNotFoundProblem()
  return row
}

export async function recordUpdate(
  tx: Database,
  { by, now }: Required<Actor>,
  action: string,
  { id, campaignId, texts, recipients }: Pick<UpdateRow, 'id' | 'campaignId' | 'texts'> & { recipients?: number }
): Promise<void> {
  const name = (texts.en ?? texts.de)?.title ?? ''
  const details = { campaignId, name, ...(recipients === undefined ? {} : { recipients }) }
  await record(tx, { by, now }, action, { subject: 'campaign_update', id, details })
}

type GivenTexts = NonNullable<CampaignUpdatePatch['texts']>

/** Omitted languages and members stay unchanged; null removes a language. One language has to remain. */
function mergeTexts(before: UpdateTexts, given: GivenTexts = {}, sanitized: UpdateTexts = {}): UpdateTexts {
  const after: UpdateTexts = {}
  for (const language of languages) {
    const [old, change] = [before[language], given[language]]
    if (change === null) continue
    const title = change?.title ?? old?.title
    if (title === undefined) {
      if (change !== undefined) throw newUpdateWithoutTitleProblem(language)
      continue
    }
    const text = change?.text === undefined ? (old?.text ?? '') : (sanitized[language]?.text ?? change.text)
    after[language] = { title, text }
  }
  if (Object.keys(after).length === 0) throw newUpdateWithoutTextProblem()
  return after
}

function pickGiven(given: GivenTexts = {}): UpdateTexts {
  return Object.fromEntries(
    languages.flatMap(language => {
      const text = given[language]?.text
      return text === undefined ? [] : [[language, { title: '', text }]]
    })
  )
}

async function sanitizeTexts(settings: Settings, texts: UpdateTexts): Promise<UpdateTexts> {
  const entries = Object.entries(texts) as [Language, { title: string; text: string }][]
  const pieces = entries.reduce((sum, [, { text }]) => sum + countPieces(text), 0)
  const [longest] = entries.toSorted(([, one], [, other]) => countPieces(other.text) - countPieces(one.text))
  if (pieces > piecesMax && longest !== undefined) throw newTooMuchMarkupProblem(`/texts/${longest[0]}/text`, pieces)
  const context = { site: { ownHosts: buildOwnHosts(settings) } }
  const clean: UpdateTexts = {}
  for (const [language, { title, text }] of entries) clean[language] = { title, text: await toRichText(context, text) }
  return clean
}

function refuseFuture(date: string, { timezone }: Settings, now: Date): void {
  const today = toLocalDay(now, timezone)
  if (date > today) throw newUpdateInFutureProblem(today)
}
