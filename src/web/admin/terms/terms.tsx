import { otherLanguage } from '#platform/language.ts'
import type { Term } from '../../calendar-api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { placeWords } from '../../text/places.ts'
import { field } from '../../visit.ts'
import { createItem, itemPath, readBoth, saveItem } from '../calendar-item.ts'
import { questionPage, refusedFields, textLanguage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { type Difference, differencesIn, editorPage, type Wrong } from '../editor.tsx'
import { decodedSlug } from '../events/event-input.ts'
import { isConflict } from '../form.tsx'
import { RemoveTextLink, textRemovalPages } from '../text-removal.tsx'
import {
  noTerm,
  type TermCollection,
  TermForm,
  type TermInput,
  termBodyOf,
  termInputFrom,
  termInputOf,
  termLabels
} from './term-form.tsx'
import { downloadTerms, parentsFor, showTerms } from './term-list.tsx'

const islands = ['event-form']

/** Categories and tags: the same pages, but a tag belongs to nothing. */
export function termPages(console: Console): void {
  for (const collection of ['categories', 'tags'] as const) {
    const path = `/admin/${collection}`
    console.show(path, ['editor', 'viewer'], async desk => await showTerms(desk, collection))
    console.show(`${path}.csv`, ['editor', 'viewer'], async desk => await downloadTerms(desk, collection))
    console.show(`${path}/new`, ['editor'], async desk => await newPage(desk, collection, noTerm, { errors: {} }))
    console.take(`${path}/new`, ['editor'], async desk => await create(desk, collection))
    console.show(`${path}/:id`, ['editor'], async desk => await showEditor(desk, collection))
    console.take(`${path}/:id`, ['editor'], async desk => await save(desk, collection))
    console.show(`${path}/:id/delete`, ['editor'], async desk => await askToRemove(desk, collection))
    console.take(`${path}/:id/delete`, ['editor'], async desk => await remove(desk, collection))
    textRemovalPages(console, { collection, name: 'name' })
  }
}

async function newPage(desk: Desk, collection: TermCollection, input: TermInput, wrong: Wrong): Promise<ConsolePage> {
  const language = textLanguage(desk)
  return editorPage(desk, {
    title: placeWords[desk.language][collection].create,
    menu: `/admin/${collection}`,
    language,
    wrong,
    islands,
    children: (
      <TermForm
        {...wrong}
        desk={desk}
        collection={collection}
        language={language}
        etag=""
        input={input}
        other={undefined}
        categories={collection === 'categories' ? await parentsFor(desk) : []}
      />
    )
  })
}

async function create(desk: Desk, collection: TermCollection): Promise<ConsolePage | Redirect> {
  const input = termInputFrom(desk)
  try {
    const said = placeWords[desk.language][collection].created
    return await createItem(desk, collection, termBodyOf(collection, input), said)
  } catch (error) {
    return await newPage(desk, collection, input, wrongOf(desk, error))
  }
}

function wrongOf(desk: Desk, error: unknown): Wrong {
  const { fields, general } = refusedFields(desk, error, termLabels(desk))
  return { errors: fields, general }
}

interface Read {
  item: Term
  other: Term
  etag: string
  categories: Term[]
}

async function readTerm(desk: Desk, collection: TermCollection): Promise<Read> {
  const [read, categories] = await Promise.all([
    readBoth<Term>(desk, collection),
    collection === 'categories' ? parentsFor(desk) : []
  ])
  return { ...read, categories }
}

async function showEditor(desk: Desk, collection: TermCollection): Promise<ConsolePage> {
  const read = await readTerm(desk, collection)
  const input = termInputOf(read.item, textLanguage(desk))
  return termEditor(desk, collection, read, { etag: read.etag, input, errors: {} })
}

interface Shown extends Wrong {
  etag: string
  input: TermInput
  isConflict?: boolean
}

function termEditor(desk: Desk, collection: TermCollection, read: Read, shown: Shown): ConsolePage {
  const { item: term, other, categories } = read
  const words = placeWords[desk.language]
  const language = textLanguage(desk)
  const path = `/admin/${collection}/${term.id}`
  const { isConflict = false, ...form } = shown
  return editorPage(desk, {
    title: form.input.name || term.name,
    menu: `/admin/${collection}`,
    id: term.id,
    language,
    written: term.translations,
    wrong: shown,
    differences: isConflict ? differencesOf(desk, read, form.input) : undefined,
    islands,
    actions: (
      <a
        class="button quiet"
        href={pathTo(collection === 'tags' ? 'tag' : 'category', term.language, decodedSlug(term.slug))}
      >
        {words.view}
      </a>
    ),
    children: (
      <>
        {term.translations.includes(language) ? null : <p class="notice">{words.notWritten[language]}</p>}
        <TermForm
          {...form}
          desk={desk}
          collection={collection}
          id={term.id}
          language={language}
          other={term.translations.includes(otherLanguage(language)) ? termInputOf(other, other.language) : undefined}
          categories={categories}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink desk={desk} path={path} language={language} written={term.translations} />
        <a class="button small quiet danger" href={`${path}/delete`}>
          {words.delete}
        </a>
      </>
    )
  })
}

function differencesOf(desk: Desk, { item, categories }: Read, yours: TermInput): Difference[] {
  const readable = (input: TermInput) => ({
    ...input,
    parent: categories.find(({ id }) => String(id) === input.parent)?.name ?? input.parent
  })
  return differencesIn(termLabels(desk), readable(termInputOf(item, textLanguage(desk))), readable(yours))
}

async function save(desk: Desk, collection: TermCollection): Promise<ConsolePage | Redirect> {
  const input = termInputFrom(desk)
  try {
    return await saveItem(desk, collection, termBodyOf(collection, input))
  } catch (error) {
    const read = await readTerm(desk, collection)
    return isConflict(error)
      ? termEditor(desk, collection, read, { etag: read.etag, input, errors: {}, isConflict: true })
      : termEditor(desk, collection, read, { ...wrongOf(desk, error), etag: field(desk, 'etag'), input })
  }
}

async function askToRemove(desk: Desk, collection: TermCollection): Promise<ConsolePage> {
  const words = placeWords[desk.language]
  const { body } = await desk.api.get<Term>(itemPath(desk, collection), { language: desk.language })
  return questionPage(desk, {
    title: words[collection].question(body.name),
    menu: `/admin/${collection}`,
    text: (
      <>
        <p>{words.questionText(body.count)}</p>
        {collection === 'categories' ? <p>{words.questionChildren}</p> : null}
      </>
    ),
    action: `/admin/${collection}/${body.id}/delete`,
    fields: { name: body.name },
    yes: words.delete,
    back: `/admin/${collection}`
  })
}

async function remove(desk: Desk, collection: TermCollection): Promise<Redirect> {
  await desk.api.delete(itemPath(desk, collection))
  desk.say({ text: placeWords[desk.language].removed(field(desk, 'name')) })
  return redirect(`/admin/${collection}`, 303)
}
