import type { Language, Text } from '#platform/language.ts'
import type { ApiResponse } from './api-client.ts'

/** What every page knows of the organisation. */
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
  /** #rrggbb, or null for the colour that the program has. */
  accent: string | null
  weekStart: 'monday' | 'sunday'
  logoUrl: string | null
}

/** What somebody has changed through another process is seen after this long. */
const freshMs = 2000

export interface SiteSettingsCache {
  /** Asks the API now and then, not for every page; and at once after something was written. */
  get(ask: () => Promise<ApiResponse<SiteSettings>>, moment: number | undefined): Promise<SiteSettings>
  /** For pages that cannot wait, such as those that say what went wrong. */
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
      // The same object for as long as nothing has changed, so that pages made with it can be told from others.
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

/** Whoever asked has the error. */
function ignoreError(): void {}

const emptyText = { en: '', de: '' }

/** A site that nobody has set up yet. */
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
