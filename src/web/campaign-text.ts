import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { type Language, languages } from '#platform/language.ts'
import { campaignPart, pathTo } from './paths.ts'

type Texts = Pick<Campaign, 'name' | 'language' | 'translations'> & { description?: string }

/** What a campaign is called on a page, and in which language that is. */
export interface CampaignText {
  name: string
  description: string
  /** Set only where it differs from the page's language. */
  lang: Language | undefined
  /** The same for the description: a name may be translated before the story is. */
  storyLang: Language | undefined
}

/** The text in the language of the page, or the campaign's own where there is no other. */
export function campaignText(campaign: Texts, language: Language): CampaignText {
  const { name, description = '' } = campaign
  if (campaign.language === language) return { name, description, lang: undefined, storyLang: undefined }
  const translated = campaign.translations[language]
  if (translated === undefined) return { name, description, lang: campaign.language, storyLang: campaign.language }
  return translated.description === ''
    ? { name: translated.name, description, lang: undefined, storyLang: campaign.language }
    : { ...translated, lang: undefined, storyLang: undefined }
}

export function pathToCampaign(campaign: Texts & { id: number }, language: Language): string {
  return pathTo('campaign', language, campaignPart(campaign.id, campaignText(campaign, language).name))
}

export function campaignTwins(campaign: Texts & { id: number }): Record<Language, string> {
  const [en, de] = languages.map(language => pathToCampaign(campaign, language))
  return { en: en ?? '', de: de ?? '' }
}

/** Whether a campaign takes donations now, and if not, why. */
export type Standing = 'open' | 'soon' | 'ended' | 'closed'

export function standingOf(campaign: Pick<Campaign, 'status' | 'startsAt' | 'endsAt'>, now: Date): Standing {
  if (campaign.status !== 'open') return 'closed'
  if (campaign.startsAt !== null && Date.parse(campaign.startsAt) > now.getTime()) return 'soon'
  if (campaign.endsAt !== null && Date.parse(campaign.endsAt) <= now.getTime()) return 'ended'
  return 'open'
}
