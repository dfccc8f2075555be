import { getLanguageValues, getOtherLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { Term } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { buildConfirmDeletePage, getTextLanguage, toFieldErrors } from '../shared/calendar/fields.tsx'
import { createItem, getItemPath, readBothLanguages, saveItem } from '../shared/calendar/item.ts'
import { RemoveTextLink, registerTextRemovalRoutes } from '../shared/calendar/text-removal.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { buildEditorPage, type Difference, type FormErrors, listFieldDifferences } from '../shared/editor.tsx'
import { isConflict } from '../shared/form.tsx'
import { decodeSlug } from '../shared/forms/field-kinds.ts'
import { getLabels, parseInput } from '../shared/forms/form-input.ts'
import {
  emptyTermInput,
  type TermCollection,
  TermForm,
  type TermInput,
  termFields,
  toTermBody,
  toTermInput
} from './term-form.tsx'
import { downloadTerms, listParentTerms, showTerms } from './term-list.tsx'

const scripts = ['event-form']

/** Categories and tags: the same pages, but tags have no parent. */
export function registerTermRoutes(console: AdminRouter): void {
  for (const collection of ['categories', 'tags'] as const) {
    const path = `/admin/${collection}`
    console.get(path, ['editor', 'viewer'], async context => await showTerms(context, collection))
    console.get(`${path}.csv`, ['editor', 'viewer'], async context => await downloadTerms(context, collection))
    console.get(
      `${path}/new`,
      ['editor'],
      async context => await buildNewPage(context, collection, emptyTermInput, { errors: {} })
    )
    console.post(`${path}/new`, ['editor'], async context => await create(context, collection))
    console.get(`${path}/:id`, ['editor'], async context => await showEditor(context, collection))
    console.post(`${path}/:id`, ['editor'], async context => await save(context, collection))
    console.get(`${path}/:id/delete`, ['editor'], async context => await askToRemove(context, collection))
    console.post(`${path}/:id/delete`, ['editor'], async context => await remove(context, collection))
    registerTextRemovalRoutes(console, { collection, name: 'name' })
  }
}

async function buildNewPage(
  context: AdminContext,
  collection: TermCollection,
  input: TermInput,
  wrong: FormErrors
): Promise<AdminPage> {
  const language = getTextLanguage(context)
  return buildEditorPage(context, {
    title: getMessages('calendar-admin', context.language)[collection].create,
    menu: `/admin/${collection}`,
    language,
    wrong,
    scripts: scripts,
    children: (
      <TermForm
        {...wrong}
        context={context}
        collection={collection}
        language={language}
        etag=""
        input={input}
        other={undefined}
        categories={collection === 'categories' ? await listParentTerms(context) : []}
      />
    )
  })
}

async function create(context: AdminContext, collection: TermCollection): Promise<AdminPage | Redirect> {
  const input = parseInput(context, termFields)
  try {
    const said = getMessages('calendar-admin', context.language)[collection].created
    return await createItem(context, collection, toTermBody(context, collection, input), said)
  } catch (error) {
    return await buildNewPage(context, collection, input, toErrors(context, error))
  }
}

function toErrors(context: AdminContext, error: unknown): FormErrors {
  const { fields, general } = toFieldErrors(
    context,
    error,
    getLabels(termFields, getMessages('calendar-admin', context.language))
  )
  return { errors: fields, general }
}

interface LoadedTerm {
  item: Term
  other: Term
  etag: string
  categories: Term[]
}

async function loadTerm(context: AdminContext, collection: TermCollection): Promise<LoadedTerm> {
  const [read, categories] = await Promise.all([
    readBothLanguages<Term>(context, collection),
    collection === 'categories' ? listParentTerms(context) : []
  ])
  return { ...read, categories }
}

async function showEditor(context: AdminContext, collection: TermCollection): Promise<AdminPage> {
  const read = await loadTerm(context, collection)
  const input = toTermInput(context, read.item, getTextLanguage(context))
  return buildEditor(context, collection, read, { etag: read.etag, input, errors: {} })
}

interface EditorState extends FormErrors {
  etag: string
  input: TermInput
  isConflict?: boolean
}

function buildEditor(
  context: AdminContext,
  collection: TermCollection,
  read: LoadedTerm,
  shown: EditorState
): AdminPage {
  const { item: term, other, categories } = read
  const strings = getMessages('calendar-admin', context.language)
  const language = getTextLanguage(context)
  const path = `/admin/${collection}/${term.id}`
  const { isConflict = false, ...form } = shown
  return buildEditorPage(context, {
    title: form.input.name || term.name,
    menu: `/admin/${collection}`,
    id: term.id,
    language,
    written: term.translations,
    wrong: shown,
    differences: isConflict ? listDifferences(context, read, form.input) : undefined,
    scripts: scripts,
    actions: (
      <a
        class="button quiet"
        href={getPath(collection === 'tags' ? 'tag' : 'category', term.language, decodeSlug(term.slug))}
      >
        {strings.view}
      </a>
    ),
    children: (
      <>
        {term.translations.includes(language) ? null : (
          <p class="notice">{strings.notWritten(getLanguageValues(language, context.language))}</p>
        )}
        <TermForm
          {...form}
          context={context}
          collection={collection}
          id={term.id}
          language={language}
          other={
            term.translations.includes(getOtherLanguage(language))
              ? toTermInput(context, other, other.language)
              : undefined
          }
          categories={categories}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink context={context} path={path} language={language} written={term.translations} />
        <a class="button small quiet danger" href={`${path}/delete`}>
          {strings.delete}
        </a>
      </>
    )
  })
}

function listDifferences(context: AdminContext, { item, categories }: LoadedTerm, yours: TermInput): Difference[] {
  const readable = (input: TermInput) => ({
    ...input,
    parent: categories.find(({ id }) => String(id) === input.parent)?.name ?? input.parent
  })
  return listFieldDifferences(
    getLabels(termFields, getMessages('calendar-admin', context.language)),
    readable(toTermInput(context, item, getTextLanguage(context))),
    readable(yours)
  )
}

async function save(context: AdminContext, collection: TermCollection): Promise<AdminPage | Redirect> {
  const input = parseInput(context, termFields)
  try {
    return await saveItem(context, collection, toTermBody(context, collection, input))
  } catch (error) {
    const read = await loadTerm(context, collection)
    return isConflict(error)
      ? buildEditor(context, collection, read, { etag: read.etag, input, errors: {}, isConflict: true })
      : buildEditor(context, collection, read, {
          ...toErrors(context, error),
          etag: getFormField(context, 'etag'),
          input
        })
  }
}

async function askToRemove(context: AdminContext, collection: TermCollection): Promise<AdminPage> {
  const strings = getMessages('calendar-admin', context.language)
  const { body } = await context.api.get<Term>(getItemPath(context, collection), { language: context.language })
  return buildConfirmDeletePage(context, {
    title: strings[collection].question({ name: body.name }),
    menu: `/admin/${collection}`,
    text: (
      <>
        <p>{strings.questionText({ count: body.count })}</p>
        {collection === 'categories' ? <p>{strings.questionChildren}</p> : null}
      </>
    ),
    action: `/admin/${collection}/${body.id}/delete`,
    fields: { name: body.name },
    yes: strings.delete,
    back: `/admin/${collection}`
  })
}

async function remove(context: AdminContext, collection: TermCollection): Promise<Redirect> {
  await context.api.delete(getItemPath(context, collection))
  context.flash({
    text: getMessages('calendar-admin', context.language).removed({ name: getFormField(context, 'name') })
  })
  return redirect(`/admin/${collection}`, 303)
}
