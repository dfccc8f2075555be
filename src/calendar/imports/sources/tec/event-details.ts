import { isObject } from '../../../contract/params.ts'
import type { SourceContext } from '../source.ts'
import { fetchJson, fetchSibling, fetchSiblingList, type Json, type RemoteSite } from './remote-site.ts'
import { parseId, toText } from './values.ts'

/** What WordPress' own API knows about an event beyond the API of The Events Calendar. */
export interface EventDetails {
  /** Why it was cancelled or postponed: HTML. */
  statusReason?: string
  /** The password that visitors need. */
  password?: string
}

/** The metadata of the reason; the status itself is in the data for search engines as well. */
const reasonKey = '_tribe_events_status_reason'

/** Concurrent requests for details: sites limit how many they answer at once. */
const concurrencyMax = 4

const statusesByType: Record<string, string> = {
  EventCancelled: 'canceled',
  EventPostponed: 'postponed',
  EventRescheduled: 'postponed',
  EventScheduled: 'scheduled'
}

/** Kalends has a field for it; The Events Calendar only says it in the data for search engines. */
export function findEventStatus(event: Json): string | undefined {
  const own = toText(event.event_status)
  if (own !== undefined) return own
  const type = isObject(event.json_ld) ? toText(event.json_ld.eventStatus) : undefined
  return type === undefined ? undefined : statusesByType[type.slice(type.lastIndexOf('/') + 1)]
}

/** Fetches details of the events that have some. One request each, so not for all. */
export async function fetchDetails(
  site: RemoteSite,
  events: Json[],
  tools: SourceContext
): Promise<Map<string, EventDetails>> {
  const details = new Map<string, EventDetails>()
  const wanted = events.filter(needsDetails).flatMap(({ id }) => parseId(id) ?? [])
  for (let first = 0; first < wanted.length; first += concurrencyMax) {
    await Promise.all(
      wanted.slice(first, first + concurrencyMax).map(async id => {
        const parameters = { _fields: 'id,meta' }
        const found = await fetchSibling(site, 'wp/v2', `/tribe_events/${id}`, { parameters, tools })
        details.set(id, readDetails(found ?? {}))
      })
    )
  }
  return details
}

function needsDetails(event: Json): boolean {
  const status = findEventStatus(event)
  // Kalends has no other place for the reason than the description.
  return event.event_status === undefined && (status === 'canceled' || status === 'postponed')
}

function readDetails({ meta }: Json): EventDetails {
  const reason = isObject(meta) ? toText(meta[reasonKey])?.trim() : undefined
  return reason === undefined || reason === '' ? {} : { statusReason: reason }
}

/** The maximum page size of WordPress. */
const mediaPerPage = 100

/** Fetches the alternative texts of the images of these items, which only WordPress' own API has: by image id. */
export async function fetchAltTexts(
  site: RemoteSite,
  things: Json[],
  tools: SourceContext
): Promise<Map<string, string>> {
  const alts = new Map<string, string>()
  const ids = [...new Set(things.flatMap(listImageIds))]
  for (let first = 0; first < ids.length; first += mediaPerPage) {
    const include = ids.slice(first, first + mediaPerPage).join(',')
    const parameters = { include, per_page: mediaPerPage, _fields: 'id,alt_text' }
    const found = await fetchSiblingList(site, 'wp/v2', '/media', { parameters, tools })
    for (const { id, alt_text } of found ?? []) {
      const text = toText(alt_text)?.trim() ?? ''
      if (text !== '') alts.set(parseId(id) ?? '', text)
    }
  }
  return alts
}

/** The ids of an item's own image, unless its text is known, and of images in its description. */
function listImageIds({ image, description }: Json): string[] {
  const own = isObject(image) && image.alt === undefined ? parseId(image.id) : undefined
  const inside = (toText(description) ?? '').matchAll(/\bwp-image-(\d{1,17})\b/g)
  return [...(own === undefined ? [] : [own]), ...[...inside].flatMap(([, id]) => parseId(id) ?? [])]
}

/** Replaces password-protected events, which have no content in lists, by the whole events. */
export async function fetchProtectedEvents(
  site: RemoteSite,
  events: Json[],
  tools: SourceContext
): Promise<{ events: Json[]; passwords: Map<string, string> }> {
  const passwords = new Map<string, string>()
  if (site.authorization === undefined) return { events, passwords }
  const unlocked: Json[] = []
  for (const event of events) {
    const id = event.all_day === null ? parseId(event.id) : undefined
    const whole = id === undefined ? undefined : await fetchProtectedEvent(site, id, tools)
    if (id !== undefined && whole !== undefined) passwords.set(id, whole.password)
    unlocked.push(whole?.event ?? event)
  }
  return { events: unlocked, passwords }
}

async function fetchProtectedEvent(
  site: RemoteSite,
  id: string,
  tools: SourceContext
): Promise<{ event: Json; password: string } | undefined> {
  const parameters = { context: 'edit', _fields: 'id,password' }
  const found = await fetchSibling(site, 'wp/v2', `/tribe_events/${id}`, { parameters, tools })
  const password = toText(found?.password)
  if (password === undefined || password === '') return undefined
  const answer = await fetchJson(site, `/events/${id}`, { password }, { tools })
  return answer?.status === 200 ? { event: answer.body, password } : undefined
}

/** The maximum page size of this API. */
const allPerPage = 500
/** More pages than any real site has. */
const allPagesMax = 400

/** Ids of all events of the site. Only this API lists hidden events. */
export async function listAllIds(site: RemoteSite, status: string, tools: SourceContext): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= allPagesMax; page += 1) {
    const parameters = { status, page, per_page: allPerPage, orderby: 'date', order: 'ASC', _fields: 'id' }
    const found = await fetchSiblingList(site, 'tec/v1', '/events', { parameters, tools })
    ids.push(...(found ?? []).flatMap(({ id }) => parseId(id) ?? []))
    if (found === undefined || found.length < allPerPage) break
  }
  return ids
}
