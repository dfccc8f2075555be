import type { Query } from '../../api.ts'
import {
  type CalendarEvent,
  calendarPath,
  type EventList,
  type Organizer,
  type Term,
  type Venue
} from '../../calendar-api.ts'
import { addDays, dayIn } from '../../format.ts'
import type { Visit } from '../../visit.ts'

/** What is there to try the API on. */
export interface RealThings {
  /** By the path up to the name that they fill in: `/campaigns/{campaignId}`. */
  values: Record<string, string>
  query: Record<string, string>
}

/** Looks for one of everything that the operations of a group name in their paths. */
export async function realThings(visit: Visit, group: string): Promise<RealThings> {
  const today = dayIn(visit.site.timezone, visit.now)
  return {
    values: (await finders[group]?.(visit)) ?? {},
    query: { from: today, to: addDays(today, 6) }
  }
}

type Finder = (visit: Visit) => Promise<Record<string, string>>

const finders: Record<string, Finder> = {
  campaigns: aCampaign,
  donations: async visit => {
    const campaign = await aCampaign(visit)
    const { '/campaigns/{campaignId}': id } = campaign
    if (id === undefined) return campaign
    const { body } = await visit.api.get<{ id: string }[]>(`/campaigns/${id}/donations`, { limit: 1 })
    return body[0] === undefined
      ? campaign
      : { ...campaign, '/campaigns/{campaignId}/donations/{donationId}': body[0].id }
  },
  events: async visit => named('events', await anEvent(visit)),
  feeds: async visit => named('events', await anEvent(visit)),
  venues: async visit => await first<Venue>(visit, 'venues'),
  organizers: async visit => await first<Organizer>(visit, 'organizers'),
  categories: async visit => await first<Term>(visit, 'categories'),
  tags: async visit => await first<Term>(visit, 'tags'),
  media: async visit => {
    const event = await anEvent(visit, ({ image }) => image !== false)
    return event === undefined || event.image === false ? {} : imageParts(event.image.url)
  }
}

/** One that has donations, if there is any. */
async function aCampaign({ api }: Visit): Promise<Record<string, string>> {
  const { body } = await api.get<{ id: number; donationCount: number }[]>('/campaigns', { limit: 20 })
  const chosen = body.find(({ donationCount }) => donationCount > 0) ?? body[0]
  return chosen === undefined ? {} : { '/campaigns/{campaignId}': String(chosen.id) }
}

/** One without a password, of the latest. */
async function anEvent({ api }: Visit, fits: (event: CalendarEvent) => boolean = () => true) {
  const query: Query = { per_page: 20, start_date: '1970-01-01', order: 'desc' }
  const { events } = (await api.get<EventList>(`${calendarPath}/events`, query)).body
  return events.find(event => event.all_day !== null && fits(event))
}

async function first<Item extends { id: number; slug: string }>(
  { api }: Visit,
  collection: string
): Promise<Record<string, string>> {
  const { body } = await api.get<Record<string, Item[]>>(`${calendarPath}/${collection}`, { per_page: 1 })
  return named(collection, body[collection]?.[0])
}

function named(collection: string, item: { id: number; slug: string } | undefined): Record<string, string> {
  if (item === undefined) return {}
  const path = `${calendarPath}/${collection}`
  return { [`${path}/{id}`]: String(item.id), [`${path}/by-slug/{slug}`]: item.slug }
}

/** `…/media/5/f9ba7ca1fea0f047/full/market.jpg` */
function imageParts(url: string): Record<string, string> {
  const found = /\/media\/(\d+)\/([^/]+)\/([^/]+)\/([^/?]+)$/.exec(url)
  if (found === null) return {}
  const values: Record<string, string> = {}
  let path = '/media'
  for (const [index, name] of ['id', 'token', 'size', 'name'].entries()) {
    path += `/{${name}}`
    values[path] = decodeURIComponent(found[index + 1] ?? '')
  }
  return values
}
