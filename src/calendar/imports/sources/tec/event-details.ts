import { isObject } from '../../../contract/params.ts'
import type { SourceContext } from '../source.ts'
import { fetchJson, fetchSibling, fetchSiblingList, type Json, type RemoteSite } from './remote-site.ts'
import { parseId, toText } from './values.ts'

/** What WordPress' own API knows about an event beyond the API of The Events Calendar. */
export interface EventDetails {
  status?: string
  /** Why it was cancelled or postponed: HTML. */
  statusReason?: string
  /** The password that visitors need. */
  password?: string
}

const statusKey = '_tribe_events_status'
const reasonKey = '_tribe_events_status_reason'

/** Concurrent requests for details: sites limit how many they answer at once. */
const concurrencyMax = 4

const statusesByType: Record<string, string> = { EventCancelled: 'canceled', EventPostponed: 'postponed' }

/** Kalends has a field for it. The Events Calendar says it in the metadata, or in the data for search engines. */
export function findEventStatus(event: Json, details: EventDetails | undefined): string | undefined {
  const own = toText(event.event_status) ?? details?.status
  if (own !== undefined) return own
  const type = isObject(event.json_ld) ? toText(event.json_ld.eventStatus) : undefined
  return type === undefined ? undefined : (statusesByType[type.slice(type.lastIndexOf('/') + 1)] ?? 'scheduled')
}

/** Fetches the details of all events that are not over: WordPress lists no others. Undefined if it lists none at all. */
export async function fetchUpcomingDetails(
  site: RemoteSite,
  tools: SourceContext
): Promise<Map<string, EventDetails> | undefined> {
  const details = new Map<string, EventDetails>()
  for (let page = 1; page <= allPagesMax; page += 1) {
    // Any other order repeats and omits events.
    const parameters = { per_page: listPerPage, page, orderby: 'id', order: 'asc', _fields: 'id,meta' }
    const found = await fetchSiblingList(site, 'wp/v2', '/tribe_events', { parameters, tools })
    if (found === undefined && page === 1) return undefined
    for (const post of found ?? []) details.set(parseId(post.id) ?? '', readDetails(post))
    if (found === undefined || found.length < listPerPage) break
  }
  return details
}

/** Details of these events: of past ones by one request each. Kalends has no more than is in its own API. */
export async function fetchDetails(
  site: RemoteSite,
  events: Json[],
  upcoming: Map<string, EventDetails> | undefined,
  tools: SourceContext
): Promise<Map<string, EventDetails>> {
  if (upcoming === undefined) return new Map()
  const details = new Map(upcoming)
  const wanted = events
    .filter(event => event.event_status === undefined)
    .flatMap(({ id }) => parseId(id) ?? [])
    .filter(id => !upcoming.has(id))
  for (let first = 0; first < wanted.length; first += concurrencyMax) {
    await Promise.all(
      wanted.slice(first, first + concurrencyMax).map(async id => {
        const parameters = { _fields: 'id,meta' }
        const found = await fetchSibling(site, 'wp/v2', `/tribe_events/${id}`, { parameters, tools })
        if (found !== undefined) details.set(id, readDetails(found))
      })
    )
  }
  return details
}

function readDetails({ meta }: Json): EventDetails {
  if (!isObject(meta)) return {}
  const status = toText(meta[statusKey]) ?? ''
  const isChanged = status === 'canceled' || status === 'postponed'
  const reason = toText(meta[reasonKey])?.trim() ?? ''
  return {
    status: isChanged ? status : 'scheduled',
    ...(isChanged && reason !== '' ? { statusReason: reason } : {})
  }
}

/** The maximum page size of WordPress. */
const listPerPage = 100

/** Fetches the alternative texts of the images of these items, which only WordPress' own API has: by image id. */
export async function fetchAltTexts(
  site: RemoteSite,
  things: Json[],
  tools: SourceContext
): Promise<Map<string, string>> {
  const alts = new Map<string, string>()
  const ids = [...new Set(things.flatMap(listImageIds))]
  for (let first = 0; first < ids.length; first += listPerPage) {
    const include = ids.slice(first, first + listPerPage).join(',')
    const parameters = { include, per_page: listPerPage, _fields: 'id,alt_text' }
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
