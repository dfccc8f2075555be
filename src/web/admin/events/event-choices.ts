import type { Image, Organizer, Term, Venue } from '../../server/calendar-api.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { imagesOffered } from '../images/image-field.tsx'
import { fetchListPage, listAll } from '../shared/calendar/lists.ts'
import type { AdminContext } from '../shared/context.ts'

/** Options of the editor's selects. */
export interface EventChoices {
  venues: Venue[]
  organizers: Organizer[]
  categories: Term[]
  tags: Term[]
  images: Image[]
}

export async function listEventChoices(context: AdminContext): Promise<EventChoices> {
  const { api, language } = context
  const byName = { language, orderby: 'title', order: 'asc' }
  const [venues, organizers, categories, tags, images] = await Promise.all([
    listAll<Venue>(api, 'venues', byName),
    listAll<Organizer>(api, 'organizers', byName),
    listAll<Term>(api, 'categories', { language, hide_empty: false }),
    listAll<Term>(api, 'tags', { language, hide_empty: false }),
    listOfferedImages(context)
  ])
  return { venues, organizers, categories, tags, images }
}

export async function listOfferedImages({ api }: AdminContext): Promise<Image[]> {
  return (await fetchListPage<Image>(api, 'media', {}, { page: 1, size: imagesOffered })).items
}

/** Finds an image that is not among those offered. */
export async function findImage({ api }: AdminContext, images: Image[], id: string): Promise<Image | undefined> {
  if (id === '') return undefined
  const known = images.find(image => String(image.id) === id)
  if (known !== undefined) return known
  return await api.get<Image>(`${calendarPath}/media/${id}`).then(
    ({ body }) => body,
    () => undefined
  )
}

/** Categories as a tree: children directly follow their parent. */
export function sortAsTree(terms: Term[]): { term: Term; depth: number }[] {
  const below = new Map<number, Term[]>()
  const known = new Set(terms.map(({ id }) => id))
  for (const term of terms) {
    const parent = term.parent !== undefined && known.has(term.parent) ? term.parent : 0
    const siblings = below.get(parent)
    if (siblings === undefined) below.set(parent, [term])
    else siblings.push(term)
  }
  const placed: { term: Term; depth: number }[] = []
  const waiting = (below.get(0) ?? []).map(term => ({ term, depth: 0 })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    placed.push(next)
    const { term, depth } = next
    waiting.push(...(below.get(term.id) ?? []).map(one => ({ term: one, depth: depth + 1 })).reverse())
  }
  return placed
}
