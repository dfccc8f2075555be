import type { Language } from '#platform/language.ts'

/** All paths of the public site, in both languages, with `:parameters`. */
export const patterns = {
  home: { en: '/en', de: '/de' },
  calendar: { en: '/en/calendar', de: '/de/kalender' },
  list: { en: '/en/calendar/list', de: '/de/kalender/liste' },
  suggest: { en: '/en/calendar/suggest', de: '/de/kalender/vorschlagen' },
  suggestThanks: { en: '/en/calendar/suggest/thanks', de: '/de/kalender/vorschlagen/danke' },
  suggestConfirm: { en: '/en/calendar/suggest/confirm/:token', de: '/de/kalender/vorschlagen/bestaetigen/:token' },
  /** A month (2027-02) or a day (2027-02-01). */
  when: { en: '/en/calendar/:when', de: '/de/kalender/:when' },
  event: { en: '/en/event/:slug', de: '/de/termin/:slug' },
  venue: { en: '/en/venue/:slug', de: '/de/ort/:slug' },
  organizer: { en: '/en/organizer/:slug', de: '/de/veranstalter/:slug' },
  category: { en: '/en/category/:slug', de: '/de/kategorie/:slug' },
  tag: { en: '/en/tag/:slug', de: '/de/schlagwort/:slug' },
  campaigns: { en: '/en/donate', de: '/de/spenden' },
  thanks: { en: '/en/donate/thanks/:token', de: '/de/spenden/danke/:token' },
  /** The link of emails with news. */
  unsubscribe: { en: '/en/donate/news/:token', de: '/de/spenden/abmelden/:token' },
  /** Id of the campaign, followed by its name for readability: 7-new-roof. */
  campaign: { en: '/en/donate/:campaign', de: '/de/spenden/:campaign' },
  campaignUpdates: { en: '/en/donate/:campaign/updates', de: '/de/spenden/:campaign/neuigkeiten' },
  campaignUpdate: { en: '/en/donate/:campaign/updates/:update', de: '/de/spenden/:campaign/neuigkeiten/:update' },
  campaignUpdatesAtom: { en: '/en/donate/:campaign/updates.atom', de: '/de/spenden/:campaign/neuigkeiten.atom' },
  campaignThanks: { en: '/en/donate/:campaign/thanks', de: '/de/spenden/:campaign/danke' },
  about: { en: '/en/about', de: '/de/ueber-uns' },
  imprint: { en: '/en/imprint', de: '/de/impressum' },
  privacy: { en: '/en/privacy', de: '/de/datenschutz' },
  /** Other pages with a text of the organisation. */
  page: { en: '/en/:page', de: '/de/:page' },
  feeds: { en: '/en/feeds', de: '/de/feeds' },
  eventsRss: { en: '/en/events.rss', de: '/de/events.rss' },
  eventsAtom: { en: '/en/events.atom', de: '/de/events.atom' },
  campaignsRss: { en: '/en/campaigns.rss', de: '/de/campaigns.rss' },
  campaignsAtom: { en: '/en/campaigns.atom', de: '/de/campaigns.atom' },
  embedEvents: { en: '/en/embed/events', de: '/de/embed/events' },
  embedEvent: { en: '/en/embed/events/:id', de: '/de/embed/events/:id' },
  embedCampaign: { en: '/en/embed/campaigns/:id', de: '/de/embed/campaigns/:id' },
  api: { en: '/en/api', de: '/de/api' },
  problems: { en: '/en/problems', de: '/de/probleme' },
  problem: { en: '/en/problems/:code', de: '/de/probleme/:code' }
} as const satisfies Record<string, Record<Language, string>>

export type PageName = keyof typeof patterns

/** Path of a page in a language, such as `getPath('event', 'de', 'sommerfest')`. */
export function getPath(place: PageName, language: Language, part = ''): string {
  return patterns[place][language].replace(/:\w+/, () => encodeURIComponent(part))
}

/** `7-new-roof`: only the id is used for the lookup. */
export function buildCampaignSlug(id: number, name: string): string {
  const strings = name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim()
  return strings === '' ? String(id) : `${id}-${strings.replaceAll(' ', '-')}`
}
