import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { buildCampaignSlug, buildForLanguages, getPath } from './paths.ts'

type Texts = Pick<Campaign, 'name' | 'language' | 'translations'> & { description?: string }

/** Name and description of a campaign on a page, with their language. */
export interface CampaignText {
  name: string
  description: string
  /** Set only if it differs from the page's language. */
  lang: Language | undefined
  /** Same for the description: the name may be translated before the story is. */
  descriptionLang: Language | undefined
}

/** The text in the page's language, else in the campaign's own. */
export function getCampaignText(campaign: Texts, language: Language): CampaignText {
  const { name, description = '' } = campaign
  if (campaign.language === language) return { name, description, lang: undefined, descriptionLang: undefined }
  const translated = campaign.translations[language]
  if (translated === undefined)
    return { name, description, lang: campaign.language, descriptionLang: campaign.language }
  return translated.description === ''
    ? { name: translated.name, description, lang: undefined, descriptionLang: campaign.language }
    : { ...translated, lang: undefined, descriptionLang: undefined }
}

export function getCampaignPath(campaign: Texts & { id: number }, language: Language): string {
  return getPath('campaign', language, buildCampaignSlug(campaign.id, getCampaignText(campaign, language).name))
}

export function getCampaignAlternates(campaign: Texts & { id: number }): Record<Language, string> {
  return buildForLanguages(language => getCampaignPath(campaign, language))
}

/** Whether a campaign is closed or has ended: it shows what was achieved. */
export function isOver(campaign: Pick<Campaign, 'status' | 'startsAt' | 'endsAt'>, now: Date): boolean {
  return ['closed', 'ended'].includes(getCampaignState(campaign, now))
}

/** Whether a campaign accepts donations now, and if not, why. */
export type CampaignState = 'open' | 'soon' | 'ended' | 'closed'

export function getCampaignState(campaign: Pick<Campaign, 'status' | 'startsAt' | 'endsAt'>, now: Date): CampaignState {
  if (campaign.status !== 'open') return 'closed'
  if (campaign.startsAt !== null && Date.parse(campaign.startsAt) > now.getTime()) return 'soon'
  if (campaign.endsAt !== null && Date.parse(campaign.endsAt) <= now.getTime()) return 'ended'
  return 'open'
}

type DatedCampaign = Pick<Campaign, 'id' | 'endsAt' | 'createdAt'>

/** What ends next comes first; campaigns without an end come last, the newest of them first. */
export function compareByEnd(one: DatedCampaign, other: DatedCampaign): number {
  const end = ({ endsAt }: DatedCampaign) => (endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt))
  if (end(one) !== end(other)) return end(one) < end(other) ? -1 : 1
  return other.createdAt.localeCompare(one.createdAt) || other.id - one.id
}
