import type { Language, Text } from '#platform/language.ts'
import type { ApiClient } from './api-client.ts'

/** Settings of the organisation that every page uses. */
export interface SiteSettings {
  name: string
  tagline: Text
  about: Text
  imprint: Text
  privacy: Text
  contactEmail: string | null
  languages: Language[]
  defaultLanguage: Language
  timezone: string
  currency: string
  /** #rrggbb, or null for the default colour. */
  accent: string | null
  weekStart: 'monday' | 'sunday'
  logoUrl: string | null
  /** Whether visitors can suggest events. */
  suggestions: boolean
}

/** Reads the settings for each page; the response cache answers the API call. */
export interface SiteSettingsReader {
  /** Returns the last known settings if the API call fails. */
  get(api: Pick<ApiClient, 'get'>): Promise<SiteSettings>
  /** For pages that cannot wait for the API, such as error pages. */
  getLastKnown(): SiteSettings
}

export function newSiteSettingsReader(
  unknown: Pick<SiteSettings, 'defaultLanguage' | 'timezone' | 'currency'>
): SiteSettingsReader {
  let lastKnown: SiteSettings | undefined
  return {
    get: async api => {
      try {
        lastKnown = (await api.get<SiteSettings>('/site')).body
        return lastKnown
      } catch (error) {
        if (lastKnown === undefined) throw error
        return lastKnown
      }
    },
    getLastKnown: () => lastKnown ?? { ...unconfiguredSite, ...unknown }
  }
}

const emptyText = { en: '', de: '' }

/** Defaults before the site is set up. */
const unconfiguredSite = {
  name: 'Kalends',
  tagline: emptyText,
  about: emptyText,
  imprint: emptyText,
  privacy: emptyText,
  contactEmail: null,
  languages: ['en', 'de'] as Language[],
  accent: null,
  weekStart: 'monday' as const,
  logoUrl: null,
  suggestions: false
}
