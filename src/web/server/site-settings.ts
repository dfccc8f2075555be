import type { Language, Text } from '#platform/language.ts'
import type { ApiResponse } from './api-client.ts'

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
}

/** Changes through another process become visible after this time. */
const freshMs = 2000

export interface SiteSettingsCache {
  /** Cached; calls the API after `freshMs`, and at once after a write. */
  get(ask: () => Promise<ApiResponse<SiteSettings>>, moment: number | undefined): Promise<SiteSettings>
  /** For pages that cannot wait for the API, such as error pages. */
  lastKnown(): SiteSettings
}

export function newSiteSettingsCache(
  unknown: Pick<SiteSettings, 'defaultLanguage' | 'timezone' | 'currency'>
): SiteSettingsCache {
  let known: { site: SiteSettings; version: string; moment: number | undefined; untilMs: number } | undefined
  let asking: { answer: Promise<SiteSettings>; moment: number | undefined } | undefined

  async function answerTo(
    ask: () => Promise<ApiResponse<SiteSettings>>,
    moment: number | undefined
  ): Promise<SiteSettings> {
    try {
      const { body, etag } = await ask()
      // Keeps the same object while nothing has changed: the page cache compares it by identity.
      const site = known !== undefined && known.version === etag ? known.site : body
      known = { site, version: etag, moment, untilMs: Date.now() + freshMs }
      return site
    } catch (error) {
      if (known === undefined) throw error
      return known.site
    }
  }

  return {
    get: async (ask, moment) => {
      if (known !== undefined && known.moment === moment && Date.now() < known.untilMs) return known.site
      if (asking === undefined || asking.moment !== moment) {
        const started = { answer: answerTo(ask, moment), moment }
        asking = started
        void started.answer.catch(ignoreError).finally(() => {
          if (asking === started) asking = undefined
        })
      }
      return await asking.answer
    },
    lastKnown: () => known?.site ?? { ...unconfiguredSite, ...unknown }
  }
}

/** The caller of `get` receives the error. */
function ignoreError(): void {}

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
  logoUrl: null
}
