import type { Language, Text } from '#platform/language.ts'
import type { Answer } from './api.ts'

/** What every page knows of the organisation. */
export interface SiteInfo {
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

export interface SiteMemory {
  /** Asks the API now and then, not for every page; and at once after something was written. */
  current(ask: () => Promise<Answer<SiteInfo>>, moment: number | undefined): Promise<SiteInfo>
  /** For pages that cannot wait, such as those that say what went wrong. */
  last(): SiteInfo
}

export function newSiteMemory(unknown: Pick<SiteInfo, 'defaultLanguage' | 'timezone' | 'currency'>): SiteMemory {
  let known: { site: SiteInfo; version: string; moment: number | undefined; untilMs: number } | undefined
  let asking: { answer: Promise<SiteInfo>; moment: number | undefined } | undefined

  async function answerTo(ask: () => Promise<Answer<SiteInfo>>, moment: number | undefined): Promise<SiteInfo> {
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
    current: async (ask, moment) => {
      if (known !== undefined && known.moment === moment && Date.now() < known.untilMs) return known.site
      if (asking === undefined || asking.moment !== moment) {
        const started = { answer: answerTo(ask, moment), moment }
        asking = started
        void started.answer.catch(ignoreHere).finally(() => {
          if (asking === started) asking = undefined
        })
      }
      return await asking.answer
    },
    last: () => known?.site ?? { ...nobody, ...unknown }
  }
}

/** Whoever asked has the error. */
function ignoreHere(): void {}

const none = { en: '', de: '' }

/** A site that nobody has set up yet. */
const nobody = {
  name: 'Kalends',
  tagline: none,
  about: none,
  imprint: none,
  privacy: none,
  contactEmail: null,
  languages: ['en', 'de'] as Language[],
  accent: null,
  weekStart: 'monday' as const,
  logoUrl: null
}
