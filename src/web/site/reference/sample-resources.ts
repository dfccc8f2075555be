import { addDays, toLocalDay } from '../../format/format.ts'
import type { Query } from '../../server/api-client.ts'
import {
  type CalendarEvent,
  calendarPath,
  type EventList,
  type Organizer,
  type Term,
  type Venue
} from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'

/** Existing resources for the examples. */
export interface SampleResources {
  /** By path up to the parameter: `/campaigns/{campaignId}`. */
  values: Record<string, string>
  query: Record<string, string>
}

/** Finds one of each resource that the paths of a group name. */
export async function findSampleResources(context: PageContext, group: string): Promise<SampleResources> {
  const today = toLocalDay(context.site.timezone, context.now)
  return {
    values: (await finders[group]?.(context)) ?? {},
    query: { from: today, to: addDays(today, 6) }
  }
}

type Finder = (context: PageContext) => Promise<Record<string, string>>

const finders: Record<string, Finder> = {
  campaigns: findCampaign,
  'girocodes-and-ibans': findCampaign,
  exports: findCampaign,
  presentation: findCampaign,
  'updates-and-news': async context => {
    const campaign = await findCampaign(context)
    const { '/campaigns/{campaignId}': id } = campaign
    if (id === undefined) return campaign
    const { body } = await context.api.get<{ id: number }[]>(`/campaigns/${id}/updates`, { limit: 1 })
    return body[0] === undefined
      ? campaign
      : { ...campaign, '/campaigns/{campaignId}/updates/{updateId}': String(body[0].id) }
  },
  site: async ({ site }): Promise<Record<string, string>> =>
    site.pages[0] === undefined ? {} : { '/pages/{id}': String(site.pages[0].id) },
  donations: async context => {
    const campaign = await findCampaign(context)
    const { '/campaigns/{campaignId}': id } = campaign
    if (id === undefined) return campaign
    const { body } = await context.api.get<{ id: string }[]>(`/campaigns/${id}/donations`, { limit: 1 })
    return body[0] === undefined
      ? campaign
      : { ...campaign, '/campaigns/{campaignId}/donations/{donationId}': body[0].id }
  },
  events: async context => toPathValues('events', await findEvent(context)),
  feeds: async context => toPathValues('events', await findEvent(context)),
  venues: async context => await findFirst<Venue>(context, 'venues'),
  organizers: async context => await findFirst<Organizer>(context, 'organizers'),
  categories: async context => await findFirst<Term>(context, 'categories'),
  tags: async context => await findFirst<Term>(context, 'tags'),
  series: async context => {
    const series = (await findEvent(context, event => event.series !== null))?.series
    return series == null ? {} : { [`${calendarPath}/series/{id}`]: String(series.id) }
  },
  'images-and-files': async context => {
    const event = await findEvent(context, ({ image }) => image !== false)
    return event === undefined || event.image === false ? {} : parseImagePath(event.image.url)
  }
}

/** A campaign with donations, if there is any. */
async function findCampaign({ api }: PageContext): Promise<Record<string, string>> {
  const { body } = await api.get<{ id: number; donationCount: number }[]>('/campaigns', { limit: 20 })
  const chosen = body.find(({ donationCount }) => donationCount > 0) ?? body[0]
  return chosen === undefined ? {} : { '/campaigns/{campaignId}': String(chosen.id) }
}

/** A recent event without password. */
async function findEvent({ api }: PageContext, fits: (event: CalendarEvent) => boolean = () => true) {
  const query: Query = { per_page: 20, start_date: '1900-01-01', order: 'desc' }
  const { events } = (await api.get<EventList>(`${calendarPath}/events`, query)).body
  return events.find(event => event.all_day !== null && fits(event))
}

async function findFirst<Item extends { id: number; slug: string }>(
  { api }: PageContext,
  collection: string
): Promise<Record<string, string>> {
  const { body } = await api.get<Record<string, Item[]>>(`${calendarPath}/${collection}`, { per_page: 1 })
  return toPathValues(collection, body[collection]?.[0])
}

function toPathValues(collection: string, item: { id: number; slug: string } | undefined): Record<string, string> {
  if (item === undefined) return {}
  const path = `${calendarPath}/${collection}`
  return { [`${path}/{id}`]: String(item.id), [`${path}/by-slug/{slug}`]: item.slug }
}

/** `…/media/5/f9ba7ca1fea0f047/full/market.jpg` */
function parseImagePath(url: string): Record<string, string> {
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
