import { getOtherLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { withQuery } from '../../../server/api-client.ts'
import { calendarPath } from '../../../server/calendar-api.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext } from '../context.ts'
import { getTextLanguage } from './fields.tsx'
import type { CalendarCollection } from './lists.ts'

/** API path of the item that the console's URL names. */
export function getItemPath({ params }: AdminContext, collection: CalendarCollection): string {
  return `${calendarPath}/${collection}/${encodeURIComponent(params.id ?? '')}`
}

/** Reads the item in the edited language, with its ETag, and in the other language. */
export async function readBothLanguages<Item>(
  context: AdminContext,
  collection: CalendarCollection
): Promise<{ item: Item; etag: string; other: Item }> {
  const path = getItemPath(context, collection)
  const language = getTextLanguage(context)
  const [first, second] = await Promise.all([
    context.api.get<Item>(path, { language }),
    context.api.get<Item>(path, { language: getOtherLanguage(language) })
  ])
  return { item: first.body, etag: first.etag, other: second.body }
}

/** Creates the item and redirects to its editor. */
export async function createItem(
  context: AdminContext,
  collection: CalendarCollection,
  body: object,
  said: string
): Promise<Redirect> {
  const path = withQuery(`${calendarPath}/${collection}`, { language: getTextLanguage(context) })
  const made = (await context.api.post<{ id: number; language: string }>(path, body)).body
  context.flash({ text: said })
  return redirect(withQuery(`/admin/${collection}/${made.id}`, { lang: made.language }), 303)
}

/** Saves with If-Match, so that a newer version is not overwritten. */
export async function saveItem(
  context: AdminContext,
  collection: CalendarCollection,
  body: object,
  said = getMessages('event-admin', context.language).editor.saved
): Promise<Redirect> {
  const language = getTextLanguage(context)
  const etag = getFormField(context, 'etag')
  await context.api.patch(
    withQuery(getItemPath(context, collection), { language }),
    body,
    etag === '' ? {} : { 'if-match': etag }
  )
  context.flash({ text: said })
  return redirect(withQuery(`/admin/${collection}/${context.params.id}`, { lang: language }), 303)
}
