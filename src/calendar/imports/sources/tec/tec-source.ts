import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { isObject } from '../../../contract/params.ts'
import type { ImportRequest, Incoming, OpenSource, SingleKind, SourceContext } from '../source.ts'
import { type ConvertContext, findLanguage, listEmbedded, listTranslations, toIncoming } from './convert.ts'
import {
  type EventDetails,
  fetchAltTexts,
  fetchDetails,
  fetchProtectedEvents,
  fetchUpcomingDetails,
  listAllIds
} from './event-details.ts'
import { logIn, unpublishedStatuses } from './login.ts'
import {
  allDates,
  fetchJson,
  findSite,
  type Json,
  newSiteFailedProblem,
  perPage,
  type RemoteSite
} from './remote-site.ts'
import { parseId } from './values.ts'

/** More than any real site has: bounds an endless list. */
const pagesMax = 4000
/** Consecutive pages that fail or bring nothing new before a list counts as ended. */
const failedPagesMax = 3

/** A list of the API and the kind of its items. */
interface Collection {
  kind: SingleKind
  path: string
  member: string
  parameters: Record<string, string | number>
}

const referenceCollections: Collection[] = [
  { kind: 'venue', path: '/venues', member: 'venues', parameters: {} },
  { kind: 'organizer', path: '/organizers', member: 'organizers', parameters: {} },
  { kind: 'category', path: '/categories', member: 'categories', parameters: { hide_empty: 0 } },
  { kind: 'tag', path: '/tags', member: 'tags', parameters: { hide_empty: 0 } }
]

/** All events that the site lists for these credentials. */
function getEventCollection({ authorization }: RemoteSite): Collection {
  const parameters = authorization === undefined ? allDates : { ...allDates, status: unpublishedStatuses }
  return { kind: 'event', path: '/events', member: 'events', parameters }
}

/** Another site with The Events Calendar, or another Kalends instance, by its public URL. */
export const openTec: OpenSource = async (request, tools) => {
  const { url, login } = request
  const found = await findSite(url ?? '', tools)
  const site = login === null ? found : await logIn(found, login, url ?? '', tools)
  const totals = await Promise.all(
    [...referenceCollections, getEventCollection(site)].map(async list => await fetchTotal(site, list, tools))
  )
  let failedPages = 0
  return {
    origin: site.origin,
    place: site.origin,
    isPublicOnly: login === null,
    isComplete: () => failedPages === 0,
    total: totals.reduce((sum, total) => sum + total, 0),
    batches: async function* () {
      for await (const items of readEverything(site, request, tools)) {
        failedPages += items.filter(isUnreadablePage).length
        yield items
      }
    }
  }
}

async function fetchTotal(site: RemoteSite, { path, parameters }: Collection, tools: SourceContext): Promise<number> {
  const response = await fetchJson(site, path, { ...parameters, per_page: 1 }, { tools })
  const total = Number(response?.body.total)
  return Number.isSafeInteger(total) && total > 0 ? total : 0
}

async function* readEverything(
  site: RemoteSite,
  request: ImportRequest,
  tools: SourceContext
): AsyncGenerator<Incoming[]> {
  const context: ConvertContext = {
    language: request.language,
    zone: request.timezone,
    now: tools.now,
    host: site.root.host
  }
  const seen = new Set<string>()
  const isNew = (item: Incoming) => {
    const key = `${item.kind} ${item.sourceId}`
    return !seen.has(key) && seen.add(key) !== undefined
  }
  for (const list of referenceCollections) {
    if (list.kind === 'category') {
      // Parents come before children, whatever their order in the list.
      const all: Incoming[] = []
      for await (const { items } of readPages(site, list, context, tools)) all.push(...items.filter(isNew))
      const inOrder = sortParentsFirst(all)
      for (let first = 0; first < all.length; first += perPage) yield inOrder.slice(first, first + perPage)
    } else {
      for await (const { items } of readPages(site, list, context, tools)) yield items.filter(isNew)
    }
  }
  const upcoming = await fetchUpcomingDetails(site, tools)
  for await (const { items, things } of readEvents(site, { ...context, upcoming }, tools)) {
    // Adds embedded items that the lists above did not have: older versions lack some of the lists.
    yield [...things.flatMap(event => convertEmbedded(event, context)), ...items].filter(isNew)
  }
}

/** Events of the list, and with credentials those that are hidden from it. */
async function* readEvents(site: RemoteSite, context: ConvertContext, tools: SourceContext): AsyncGenerator<ReadPage> {
  const listed = new Set<string>()
  for await (const page of readPages(site, getEventCollection(site), context, tools)) {
    for (const { sourceId } of page.items) listed.add(sourceId)
    yield page
  }
  if (site.authorization === undefined) return
  const hidden = (await listAllIds(site, unpublishedStatuses, tools)).filter(id => !listed.has(id))
  for (let first = 0; first < hidden.length; first += perPage) {
    const things: Json[] = []
    for (const id of hidden.slice(first, first + perPage)) {
      const response = await fetchJson(site, `/events/${id}`, {}, { tools })
      // An event without dates, or one that only its author may read.
      if (response?.status === 200 && response.body.start_date !== null) things.push(response.body)
    }
    yield await convertPage(site, 'event', things, { context, others: [], tools })
  }
}

interface ReadPage {
  things: Json[]
  items: Incoming[]
}

/** Reads a list page by page, in all languages. Never follows URLs in responses: requests pages by number. */
async function* readPages(
  site: RemoteSite,
  list: Collection,
  context: ConvertContext,
  tools: SourceContext
): AsyncGenerator<ReadPage> {
  const seen = new Set<string>()
  let failedInRow = 0
  for (let page = 1; page <= pagesMax && failedInRow < failedPagesMax; page += 1) {
    const parameters = { ...list.parameters, per_page: perPage, page, language: context.language }
    const response = await fetchJson(site, list.path, parameters, { tools })
    // Older versions lack some lists, and every version responds 404 beyond the last page.
    if (response !== undefined && response.status === 404) return
    const found = response?.status === 200 ? response.body[list.member] : undefined
    if (response === undefined || !Array.isArray(found)) {
      failedInRow += 1
      if (failedInRow === failedPagesMax && list.kind === 'event') throw newSiteFailedProblem()
      yield { things: [], items: [newUnreadablePage(list, page, context.language)] }
      continue
    }
    const things = found.filter(isObject)
    const fresh = things.filter(thing => !seen.has(String(thing.id)))
    for (const thing of fresh) seen.add(String(thing.id))
    failedInRow = fresh.length === 0 ? failedInRow + 1 : 0
    const others = await fetchTranslations(site, { list, parameters }, fresh, tools)
    yield await convertPage(site, list.kind, fresh, { context, others, tools })
    const isLast = typeof response.body.next_rest_url !== 'string' && !(page < Number(response.body.total_pages))
    if (found.length === 0 || isLast) return
  }
}

/** Converts the items of a page, with what other APIs of the site know about them. */
async function convertPage(
  site: RemoteSite,
  kind: SingleKind,
  listed: Json[],
  { context, others, tools }: { context: ConvertContext; others: TranslatedPage[]; tools: SourceContext }
): Promise<ReadPage> {
  const { events: things, passwords } =
    kind === 'event'
      ? await fetchProtectedEvents(site, listed, tools)
      : { events: listed, passwords: new Map<string, string>() }
  const alts = await fetchAltTexts(site, things, tools)
  const details =
    kind === 'event' ? await fetchDetails(site, things, context.upcoming, tools) : new Map<string, EventDetails>()
  for (const [id, password] of passwords) details.set(id, { ...details.get(id), password })
  const known = { ...context, alts, details }
  return { things, items: things.map(thing => convertWithTranslations(kind, thing, others, known)) }
}

type TranslatedPage = { language: Language; things: Map<string, Json> }

/** Fetches the same page again in each further language that its items declare. */
async function fetchTranslations(
  site: RemoteSite,
  { list, parameters }: { list: Collection; parameters: Record<string, string | number> },
  things: Json[],
  tools: SourceContext
): Promise<TranslatedPage[]> {
  const wanted = [...new Set(things.flatMap(listTranslations))]
  return await Promise.all(
    wanted.map(async language => {
      const response = await fetchJson(site, list.path, { ...parameters, language }, { tools })
      const found = response?.body[list.member]
      const translated = Array.isArray(found) ? found.filter(isObject) : []
      return { language, things: new Map(translated.map(thing => [String(thing.id), thing])) }
    })
  )
}

function convertWithTranslations(
  kind: SingleKind,
  thing: Json,
  others: TranslatedPage[],
  context: ConvertContext
): Incoming {
  const item = toIncoming(kind, thing, context)
  const wanted = listTranslations(thing)
  for (const { language, things } of others) {
    const other = things.get(String(thing.id))
    if (other === undefined || !wanted.includes(language) || findLanguage(other) !== language) continue
    const { texts, originals, inlineImages = [], files = [] } = toIncoming(kind, other, context)
    Object.assign(item.texts, texts)
    Object.assign(item.originals ?? {}, originals)
    if (files.length > 0) item.files = [...(item.files ?? []), ...files]
    if (inlineImages.length > 0) item.inlineImages = [...(item.inlineImages ?? []), ...inlineImages]
  }
  return item
}

function convertEmbedded(event: Json, context: ConvertContext): Incoming[] {
  const inside: [SingleKind, string][] = [
    ['venue', 'venue'],
    ['organizer', 'organizer'],
    ['category', 'categories'],
    ['tag', 'tags']
  ]
  return inside.flatMap(([kind, member]) =>
    listEmbedded(event, member)
      .filter(({ id }) => parseId(id) !== undefined)
      .map(thing => toIncoming(kind, thing, context))
  )
}

function sortParentsFirst(categories: Incoming[]): Incoming[] {
  const byId = new Map(categories.map(category => [category.sourceId, category]))
  const depthOf = (category: Incoming): number => {
    let depth = 0
    // A cycle has no root that could be imported first.
    for (let at = category; depth < 50; depth += 1) {
      const above = byId.get(String(at.fields.parent))
      if (above === undefined) break
      at = above
    }
    return depth
  }
  const depths = new Map(categories.map(category => [category, depthOf(category)]))
  return categories.toSorted((one, other) => (depths.get(one) ?? 0) - (depths.get(other) ?? 0))
}

function newUnreadablePage({ kind, path }: Collection, page: number, language: Language): Incoming {
  return {
    kind,
    sourceId: `page ${page}`,
    texts: { [language]: { title: `${path}?page=${page}` } },
    fields: {},
    problems: [{ code: 'unreadable', ...buildText('import-source-reasons', 'pageUnreadable') }]
  }
}

const isUnreadablePage = ({ problems }: Incoming) => problems.some(({ code }) => code === 'unreadable')
