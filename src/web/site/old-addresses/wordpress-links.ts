import { parseQuery } from '#platform/http/form.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import type { SiteReader } from '../../server/site-reader.ts'
import { findRedirect } from '../events/find-redirect.ts'
import { type OldAddressTarget, toItemTarget } from './old-addresses.ts'

/** A link to the root of a WordPress site that names an item or a list by parameters. */
export interface WordpressLink {
  kind?: 'event' | 'venue' | 'organizer' | 'category' | 'tag' | undefined
  /** Digits. */
  id?: string
  slug?: string
}

const postTypes: Record<string, WordpressLink['kind']> = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer'
}
/** WordPress also finds an item by a parameter with the name of its type or taxonomy. */
const slugParams: [name: string, kind: WordpressLink['kind']][] = [
  ['tribe_events', 'event'],
  ['tribe_venue', 'venue'],
  ['tribe_organizer', 'organizer'],
  ['tribe_events_cat', 'category'],
  ['tag', 'tag']
]

/**
 * `/?post_type=tribe_events&p=7`, which the API also uses for items without a page of their own, `/?p=7`,
 * `/?tribe_events=slug`, or the list `/?post_type=tribe_events`. Undefined for the address of the home page.
 */
export function parseWordpressLink(url: string): WordpressLink | undefined {
  const query = parseQuery(url.split('?', 2)[1] ?? '')
  for (const [name, kind] of slugParams) {
    const slug = query[name]
    if (typeof slug === 'string' && slug !== '') return { kind, slug }
  }
  const { post_type: type, p: id } = query
  const kind = typeof type === 'string' ? postTypes[type] : undefined
  if (typeof id === 'string' && /^\d{1,15}$/.test(id) && (type === undefined || kind !== undefined)) return { kind, id }
  return kind === 'event' ? { kind } : undefined
}

export async function findWordpressLink(
  reader: SiteReader,
  { kind, id, slug }: WordpressLink
): Promise<OldAddressTarget | undefined> {
  const { defaultLanguage: language } = reader.site
  if (id === undefined && slug === undefined) {
    return { location: getPath('calendar', language), feed: `${calendarPath}/events.ics` }
  }
  return toItemTarget(reader, await findRedirect(reader.api, { kind, post_id: id, slug, language }))
}
