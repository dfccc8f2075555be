import { getLanguageValues, getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { withQuery } from '../../../server/api-client.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../context.ts'
import { buildConfirmDeletePage, getTextLanguage } from './fields.tsx'
import { getItemPath } from './item.ts'
import type { CalendarCollection } from './lists.ts'

/** A collection with translated items, and the API's name of their name field. */
interface Kind {
  collection: CalendarCollection
  name: string
}

/** Removes the text of one language, after confirmation. */
export function registerTextRemovalRoutes(console: AdminRouter, kind: Kind): void {
  const path = `/admin/${kind.collection}/:id/remove-text`
  console.get(path, ['editor'], async context => await askToRemoveText(context, kind))
  console.post(path, ['editor'], async context => await removeText(context, kind))
}

async function askToRemoveText(context: AdminContext, { collection, name }: Kind): Promise<AdminPage> {
  const language = getTextLanguage(context)
  const { body } = await context.api.get<Record<string, unknown>>(getItemPath(context, collection), {
    language,
    // Needed to read events with a password.
    ...(collection === 'events' ? { context: 'edit' } : {})
  })
  const strings = getMessages('calendar-admin', context.language)
  const path = `/admin/${collection}/${context.params.id}`
  return buildConfirmDeletePage(context, {
    title: strings.removeTextQuestion({ ...getLanguageValues(language, context.language), name: String(body[name]) }),
    menu: `/admin/${collection}`,
    text: <p>{strings.removeTextHint}</p>,
    action: withQuery(`${path}/remove-text`, { lang: language }),
    yes: strings.removeText(getLanguageValues(language, context.language)),
    back: withQuery(path, { lang: language })
  })
}

async function removeText(context: AdminContext, { collection }: Kind): Promise<Redirect> {
  const language = getTextLanguage(context)
  await context.api.delete(withQuery(getItemPath(context, collection), { language, text_only: true }))
  context.flash({
    text: getMessages('calendar-admin', context.language).textRemoved(getLanguageValues(language, context.language))
  })
  return redirect(withQuery(`/admin/${collection}/${context.params.id}`, { lang: getOtherLanguage(language) }), 303)
}

/** Only shown if there is another text. */
export function RemoveTextLink({
  context,
  path,
  language,
  written
}: {
  context: AdminContext
  path: string
  language: Language
  written: readonly Language[]
}) {
  if (written.length < 2 || !written.includes(language)) return null
  return (
    <a class="button small quiet danger" href={withQuery(`${path}/remove-text`, { lang: language })}>
      {getMessages('calendar-admin', context.language).removeText(getLanguageValues(language, context.language))}
    </a>
  )
}
