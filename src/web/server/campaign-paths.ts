import type { Language } from '#platform/language.ts'
import { getCampaignPath } from './campaign-text.ts'
import { patterns } from './paths.ts'

type Place = 'campaignUpdates' | 'campaignUpdate' | 'campaignUpdatesAtom' | 'campaignThanks'
type Named = Parameters<typeof getCampaignPath>[0]

/** The path of a page below that of the campaign: its pattern begins with the campaign's. */
function getPathBelow(place: Place, campaign: Named, language: Language, part = ''): string {
  const below = patterns[place][language].slice(patterns.campaign[language].length)
  return getCampaignPath(campaign, language) + below.replace(/:\w+/, encodeURIComponent(part))
}

export function getUpdatesPath(campaign: Named, language: Language): string {
  return getPathBelow('campaignUpdates', campaign, language)
}

export function getUpdatePath(campaign: Named, updateId: number, language: Language): string {
  return getPathBelow('campaignUpdate', campaign, language, String(updateId))
}

export function getUpdatesFeedPath(campaign: Named, language: Language): string {
  return getPathBelow('campaignUpdatesAtom', campaign, language)
}

export function getThanksPath(campaign: Named, language: Language): string {
  return getPathBelow('campaignThanks', campaign, language)
}
