/** First parts of paths of the public site, in all languages: no page can have them as its slug. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  ...['about', 'ueber-uns', 'imprint', 'impressum', 'privacy', 'datenschutz'],
  ...['calendar', 'kalender', 'event', 'termin', 'venue', 'ort', 'organizer', 'veranstalter'],
  ...['category', 'kategorie', 'tag', 'schlagwort', 'donate', 'spenden'],
  ...['feeds', 'embed', 'api', 'problems', 'probleme', 'page']
])
