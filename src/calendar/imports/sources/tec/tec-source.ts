import type { Language } from '#platform/language.ts'
import { isObject } from '../../../contract/params.ts'
import type { ImportRequest, Incoming, ItemKind, OpenSource, SourceContext } from '../source.ts'
import { type ConvertContext, findLanguage, listEmbedded, listTranslations, toIncoming } from './convert.ts'
import { fetchAltTexts, fetchDetails } from './event-details.ts'
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
  kind: ItemKind
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
const eventCollection: Collection = { kind: 'event', path: '/events', member: 'events', parameters: allDates }

/** Another site with The Events Calendar, or another Kalends instance, by its public URL. */
export const openTec: OpenSource = async (wish, tools) => {
  const site = await findSite(wish.url ?? '', tools)
  const totals = await Promise.all(
    [...referenceCollections, eventCollection].map(async list => await fetchTotal(site, list, tools))
  )
  return {
    origin: site.origin,
    total: totals.reduce((sum, total) => sum + total, 0),
    batches: () => readEverything(site, wish, tools)
  }
}

async function fetchTotal(site: RemoteSite, { path, parameters }: Collection, tools: SourceContext): Promise<number> {
  const answer = await fetchJson(site, path, { ...parameters, per_page: 1 }, { tools })
  const total = Number(answer?.body.total)
  return Number.isSafeInteger(total) && total > 0 ? total : 0
}

async function* readEverything(
  site: RemoteSite,
  wish: ImportRequest,
  tools: SourceContext
): AsyncGenerator<Incoming[]> {
  const reading: ConvertContext = { language: wish.language, zone: wish.timezone, now: tools.now, host: site.root.host }
  const seen = new Set<string>()
  const isNew = (item: Incoming) => {
    const key = `${item.kind} ${item.sourceId}`
    return !seen.has(key) && seen.add(key) !== undefined
  }
  for (const list of referenceCollections) {
    if (list.kind === 'category') {
      // Parents come before children, whatever their order in the list.
      const all: Incoming[] = []
      for await (const { items } of readPages(site, list, reading, tools)) all.push(...items.filter(isNew))
      const inOrder = sortParentsFirst(all)
      for (let first = 0; first < all.length; first += perPage) yield inOrder.slice(first, first + perPage)
    } else {
      for await (const { items } of readPages(site, list, reading, tools)) yield items.filter(isNew)
    }
  }
  for await (const { items, things } of readPages(site, eventCollection, reading, tools)) {
    // Adds embedded items that the lists above did not have: older versions lack some of the lists.
    yield [...things.flatMap(event => convertEmbedded(event, reading)), ...items].filter(isNew)
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
  reading: ConvertContext,
  tools: SourceContext
): AsyncGenerator<ReadPage> {
  const seen = new Set<string>()
  let useless = 0
  for (let page = 1; page <= pagesMax && useless < failedPagesMax; page += 1) {
    const parameters = { ...list.parameters, per_page: perPage, page, language: reading.language }
    const answer = await fetchJson(site, list.path, parameters, { tools })
    // Older versions lack some lists, and every version responds 404 beyond the last page.
    if (answer !== undefined && answer.status === 404) return
    const found = answer?.status === 200 ? answer.body[list.member] : undefined
    if (answer === undefined || !Array.isArray(found)) {
      useless += 1
      if (useless === failedPagesMax && list.kind === 'event') throw newSiteFailedProblem()
      yield { things: [], items: [newUnreadablePage(list, page, reading.language)] }
      continue
    }
    const things = found.filter(isObject)
    const fresh = things.filter(thing => !seen.has(String(thing.id)))
    for (const thing of fresh) seen.add(String(thing.id))
    useless = fresh.length === 0 ? useless + 1 : 0
    const others = await fetchTranslations(site, { list, parameters }, fresh, tools)
    const known = {
      ...reading,
      alts: await fetchAltTexts(site, fresh, tools),
      ...(list.kind === 'event' ? { details: await fetchDetails(site, fresh, tools) } : {})
    }
    yield { things: fresh, items: fresh.map(thing => convertWithTranslations(list.kind, thing, others, known)) }
    const isLast = typeof answer.body.next_rest_url !== 'string' && !(page < Number(answer.body.total_pages))
    if (found.length === 0 || isLast) return
  }
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
      const answer = await fetchJson(site, list.path, { ...parameters, language }, { tools })
      const found = answer?.body[list.member]
      const translated = Array.isArray(found) ? found.filter(isObject) : []
      return { language, things: new Map(translated.map(thing => [String(thing.id), thing])) }
    })
  )
}

function convertWithTranslations(
  kind: ItemKind,
  thing: Json,
  others: TranslatedPage[],
  reading: ConvertContext
): Incoming {
  const item = toIncoming(kind, thing, reading)
  const wanted = listTranslations(thing)
  for (const { language, things } of others) {
    const other = things.get(String(thing.id))
    if (other === undefined || !wanted.includes(language) || findLanguage(other) !== language) continue
    const { texts, inlineImages = [] } = toIncoming(kind, other, reading)
    Object.assign(item.texts, texts)
    if (inlineImages.length > 0) item.inlineImages = [...(item.inlineImages ?? []), ...inlineImages]
  }
  return item
}

function convertEmbedded(event: Json, reading: ConvertContext): Incoming[] {
  const inside: [ItemKind, string][] = [
    ['venue', 'venue'],
    ['organizer', 'organizer'],
    ['category', 'categories'],
    ['tag', 'tags']
  ]
  return inside.flatMap(([kind, member]) =>
    listEmbedded(event, member)
      .filter(({ id }) => parseId(id) !== undefined)
      .map(thing => toIncoming(kind, thing, reading))
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
    problems: [
      {
        en: 'This page could not be fetched. Run the import again later; imported items are not duplicated.',
        de: 'Diese Seite konnte nicht abgerufen werden. Importieren Sie später noch einmal; Dubletten entstehen nicht.'
      }
    ]
  }
}
