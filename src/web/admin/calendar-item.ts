import { otherLanguage } from '#platform/language.ts'
import { withQuery } from '../api.ts'
import { calendarPath } from '../calendar-api.ts'
import { type Redirect, redirect } from '../page.ts'
import { eventWords } from '../text/events.ts'
import { field } from '../visit.ts'
import type { Collection } from './calendar-lists.ts'
import { textLanguage } from './calendar-parts.tsx'
import type { Desk } from './console.ts'

/** What an address of the console names, as the API calls it. */
export function itemPath({ params }: Desk, collection: Collection): string {
  return `${calendarPath}/${collection}/${encodeURIComponent(params.id ?? '')}`
}

/** In the language that is edited, with the tag of its version, and in the other. */
export async function readBoth<Item>(
  desk: Desk,
  collection: Collection
): Promise<{ item: Item; etag: string; other: Item }> {
  const path = itemPath(desk, collection)
  const language = textLanguage(desk)
  const [first, second] = await Promise.all([
    desk.api.get<Item>(path, { language }),
    desk.api.get<Item>(path, { language: otherLanguage(language) })
  ])
  return { item: first.body, etag: first.etag, other: second.body }
}

/** Ends in the editor of what was made. */
export async function createItem(desk: Desk, collection: Collection, body: object, said: string): Promise<Redirect> {
  const path = withQuery(`${calendarPath}/${collection}`, { language: textLanguage(desk) })
  const made = (await desk.api.post<{ id: number; language: string }>(path, body)).body
  desk.say({ text: said })
  return redirect(withQuery(`/admin/${collection}/${made.id}`, { lang: made.language }), 303)
}

/** Replaces nothing newer than what the form was filled with. */
export async function saveItem(desk: Desk, collection: Collection, body: object): Promise<Redirect> {
  const language = textLanguage(desk)
  const etag = field(desk, 'etag')
  await desk.api.patch(
    withQuery(itemPath(desk, collection), { language }),
    body,
    etag === '' ? {} : { 'if-match': etag }
  )
  desk.say({ text: eventWords[desk.language].editor.saved })
  return redirect(withQuery(`/admin/${collection}/${desk.params.id}`, { lang: language }), 303)
}
