import { type Language, otherLanguage } from '#platform/language.ts'
import { withQuery } from '../api.ts'
import { type Redirect, redirect } from '../page.ts'
import { placeWords } from '../text/places.ts'
import { itemPath } from './calendar-item.ts'
import type { Collection } from './calendar-lists.ts'
import { questionPage, textLanguage } from './calendar-parts.tsx'
import type { Console, ConsolePage, Desk } from './console.ts'

/** Something with a text in each language, and what the API calls its name. */
interface Kind {
  collection: Collection
  name: string
}

/** Removes the text of one language, once somebody has said yes. */
export function textRemovalPages(console: Console, kind: Kind): void {
  const path = `/admin/${kind.collection}/:id/remove-text`
  console.show(path, ['editor'], async desk => await askToRemoveText(desk, kind))
  console.take(path, ['editor'], async desk => await removeText(desk, kind))
}

async function askToRemoveText(desk: Desk, { collection, name }: Kind): Promise<ConsolePage> {
  const language = textLanguage(desk)
  const { body } = await desk.api.get<Record<string, unknown>>(itemPath(desk, collection), {
    language,
    // Also where a password keeps readers out.
    ...(collection === 'events' ? { context: 'edit' } : {})
  })
  const words = placeWords[desk.language]
  const path = `/admin/${collection}/${desk.params.id}`
  return questionPage(desk, {
    title: words.removeTextQuestion[language](String(body[name])),
    menu: `/admin/${collection}`,
    text: <p>{words.removeTextHint}</p>,
    action: withQuery(`${path}/remove-text`, { lang: language }),
    yes: words.removeText[language],
    back: withQuery(path, { lang: language })
  })
}

async function removeText(desk: Desk, { collection }: Kind): Promise<Redirect> {
  const language = textLanguage(desk)
  await desk.api.delete(withQuery(itemPath(desk, collection), { language, text_only: true }))
  desk.say({ text: placeWords[desk.language].textRemoved[language] })
  return redirect(withQuery(`/admin/${collection}/${desk.params.id}`, { lang: otherLanguage(language) }), 303)
}

/** Where there is another text. */
export function RemoveTextLink({
  desk,
  path,
  language,
  written
}: {
  desk: Desk
  path: string
  language: Language
  written: readonly Language[]
}) {
  if (written.length < 2 || !written.includes(language)) return null
  return (
    <a class="button small quiet danger" href={withQuery(`${path}/remove-text`, { lang: language })}>
      {placeWords[desk.language].removeText[language]}
    </a>
  )
}
