import type { Language } from '#platform/language.ts'
import { isObject } from '../rules.ts'
import type { Incoming, Kind, OpenSource, Tools, Wish } from './source.ts'
import { ask, everyDate, findSite, type Json, perPage, type Site, siteFails } from './tec/site.ts'
import { embedded, idOf, languageOf, type Reading, toIncoming, translationsOf } from './tec/things.ts'

/** More than any site has: what goes on and on is not read for ever. */
const pagesMax = 4000
/** Pages in a row that cannot be read, or bring nothing new, before a list counts as ended. */
const uselessMax = 3

/** A list of the API, and what is in it. */
interface Collection {
  kind: Kind
  path: string
  member: string
  parameters: Record<string, string | number>
}

const surroundings: Collection[] = [
  { kind: 'venue', path: '/venues', member: 'venues', parameters: {} },
  { kind: 'organizer', path: '/organizers', member: 'organizers', parameters: {} },
  { kind: 'category', path: '/categories', member: 'categories', parameters: { hide_empty: 0 } },
  { kind: 'tag', path: '/tags', member: 'tags', parameters: { hide_empty: 0 } }
]
const events: Collection = { kind: 'event', path: '/events', member: 'events', parameters: everyDate }

/** Another site with The Events Calendar, or another instance of ours, by its public address. */
export const openTec: OpenSource = async (wish, tools) => {
  const site = await findSite(wish.url ?? '', tools)
  const totals = await Promise.all([...surroundings, events].map(async list => await totalOf(site, list, tools)))
  return {
    origin: site.origin,
    total: totals.reduce((sum, total) => sum + total, 0),
    batches: () => everything(site, wish, tools)
  }
}

async function totalOf(site: Site, { path, parameters }: Collection, tools: Tools): Promise<number> {
  const answer = await ask(site, path, { ...parameters, per_page: 1 }, tools)
  const total = Number(answer?.body.total)
  return Number.isSafeInteger(total) && total > 0 ? total : 0
}

async function* everything(site: Site, wish: Wish, tools: Tools): AsyncGenerator<Incoming[]> {
  const reading: Reading = { language: wish.language, zone: wish.timezone, now: tools.now }
  const seen = new Set<string>()
  const isNew = (item: Incoming) => {
    const key = `${item.kind} ${item.sourceId}`
    return !seen.has(key) && seen.add(key) !== undefined
  }
  for (const list of surroundings) {
    if (list.kind === 'category') {
      // Those above come before those below, wherever they are in the list.
      const all: Incoming[] = []
      for await (const { items } of pagesOf(site, list, reading, tools)) all.push(...items.filter(isNew))
      const inOrder = parentsFirst(all)
      for (let first = 0; first < all.length; first += perPage) yield inOrder.slice(first, first + perPage)
    } else {
      for await (const { items } of pagesOf(site, list, reading, tools)) yield items.filter(isNew)
    }
  }
  for await (const { items, things } of pagesOf(site, events, reading, tools)) {
    // What the lists above did not have: older versions do not have all of them.
    yield [...things.flatMap(event => insideOf(event, reading)), ...items].filter(isNew)
  }
}

interface PageRead {
  things: Json[]
  items: Incoming[]
}

/** A list page by page, in all its languages. Addresses in answers are never followed: pages are asked for by their number. */
async function* pagesOf(site: Site, list: Collection, reading: Reading, tools: Tools): AsyncGenerator<PageRead> {
  const seen = new Set<string>()
  let useless = 0
  for (let page = 1; page <= pagesMax && useless < uselessMax; page += 1) {
    const parameters = { ...list.parameters, per_page: perPage, page, language: reading.language }
    const answer = await ask(site, list.path, parameters, tools)
    // Older versions have no such list, and every version says so beyond the last page.
    if (answer !== undefined && answer.status === 404) return
    const found = answer?.status === 200 ? answer.body[list.member] : undefined
    if (answer === undefined || !Array.isArray(found)) {
      useless += 1
      if (useless === uselessMax && list.kind === 'event') throw siteFails()
      yield { things: [], items: [unreadable(list, page, reading.language)] }
      continue
    }
    const things = found.filter(isObject)
    const fresh = things.filter(thing => !seen.has(String(thing.id)))
    for (const thing of fresh) seen.add(String(thing.id))
    useless = fresh.length === 0 ? useless + 1 : 0
    const others = await inOtherLanguages(site, list, parameters, fresh, tools)
    yield { things: fresh, items: fresh.map(thing => withTexts(list.kind, thing, others, reading)) }
    const isLast = typeof answer.body.next_rest_url !== 'string' && !(page < Number(answer.body.total_pages))
    if (found.length === 0 || isLast) return
  }
}

type Translated = { language: Language; things: Map<string, Json> }

/** The same page once more in each language that something on it says it is in besides. */
async function inOtherLanguages(
  site: Site,
  list: Collection,
  parameters: Record<string, string | number>,
  things: Json[],
  tools: Tools
): Promise<Translated[]> {
  const wanted = [...new Set(things.flatMap(translationsOf))]
  return await Promise.all(
    wanted.map(async language => {
      const answer = await ask(site, list.path, { ...parameters, language }, tools)
      const found = answer?.body[list.member]
      const translated = Array.isArray(found) ? found.filter(isObject) : []
      return { language, things: new Map(translated.map(thing => [String(thing.id), thing])) }
    })
  )
}

function withTexts(kind: Kind, thing: Json, others: Translated[], reading: Reading): Incoming {
  const item = toIncoming(kind, thing, reading)
  const wanted = translationsOf(thing)
  for (const { language, things } of others) {
    const other = things.get(String(thing.id))
    if (other === undefined || !wanted.includes(language) || languageOf(other) !== language) continue
    Object.assign(item.texts, toIncoming(kind, other, reading).texts)
  }
  return item
}

function insideOf(event: Json, reading: Reading): Incoming[] {
  const inside: [Kind, string][] = [
    ['venue', 'venue'],
    ['organizer', 'organizer'],
    ['category', 'categories'],
    ['tag', 'tags']
  ]
  return inside.flatMap(([kind, member]) =>
    embedded(event, member)
      .filter(({ id }) => idOf(id) !== undefined)
      .map(thing => toIncoming(kind, thing, reading))
  )
}

function parentsFirst(categories: Incoming[]): Incoming[] {
  const byId = new Map(categories.map(category => [category.sourceId, category]))
  const depthOf = (category: Incoming): number => {
    let depth = 0
    // A circle has no end, and no beginning that could be imported.
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

function unreadable({ kind, path }: Collection, page: number, language: Language): Incoming {
  return {
    kind,
    sourceId: `page ${page}`,
    texts: { [language]: { title: `${path}?page=${page}` } },
    fields: {},
    problems: [
      {
        en: 'The site did not answer this page. Run the import again later: what is here by then is not made twice.',
        de: 'Die Website hat diese Seite nicht beantwortet. Ein späterer Import holt es nach und macht nichts doppelt.'
      }
    ]
  }
}
