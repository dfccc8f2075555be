import { type Language, languages, type Text } from '#platform/language.ts'
import { type PageLink, pageKinds } from '#platform/pages/schema.ts'
import type { Hero, ThemeName } from '#platform/site/schema.ts'
import type { ApiClient } from './api-client.ts'

/** Settings of the organisation that every page uses. */
export interface SiteSettings {
  name: string
  tagline: Text
  contactEmail: string | null
  languages: Language[]
  defaultLanguage: Language
  timezone: string
  currency: string
  /** #rrggbb, or null for the default colour. */
  accent: string | null
  theme: ThemeName
  weekStart: 'monday' | 'sunday'
  logoUrl: string | null
  hero: Hero | null
  socialLinks: string[]
  /** Published pages, in the order of the menus. */
  pages: PageLink[]
  /** Whether visitors can suggest events. */
  suggestions: boolean
}

/** Languages that were added later have none yet. */
export function getTagline({ tagline }: Pick<SiteSettings, 'tagline'>, language: Language): string {
  return (tagline as Partial<Text>)[language] ?? ''
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

/** Defaults before the site is set up. */
const unconfiguredSite = {
  name: 'Kalends',
  tagline: Object.fromEntries(languages.map(language => [language, ''])) as Text,
  contactEmail: null,
  languages: [...languages],
  accent: null,
  theme: 'brick' as const,
  weekStart: 'monday' as const,
  logoUrl: null,
  hero: null,
  socialLinks: [],
  pages: pageKinds.map((kind, index) => ({ id: index, kind, place: 'footer' as const, texts: {} })),
  suggestions: false
}
