import { type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { SitePage as StoredPage } from '#platform/pages/schema.ts'
import { noHosts } from '#platform/rich-text/html.ts'
import { toRichText } from '#platform/rich-text/rich-text.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { getPagePath } from '../../server/site-pages.ts'
import { buildTextPage } from '../../site/texts/texts.tsx'
import { buildConfirmDeletePage, getTextLanguage, LanguageMarks } from '../shared/calendar/fields.tsx'
import type { AdminContext, AdminPage, AdminRouter, SitePage } from '../shared/context.ts'
import { buildEditorPage, type Difference, type FormErrors, listFieldDifferences } from '../shared/editor.tsx'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { getLabels, parseInput } from '../shared/forms/form-input.ts'
import { type Column, Table } from '../shared/table.tsx'
import {
  emptyPageInput,
  PageForm,
  type PageInput,
  pageFields,
  pagesPath,
  toPageBody,
  toPageInput
} from './page-form.tsx'

const scripts = ['event-form', 'editor']

/** Pages with rich text: about us, legal notice, privacy and others. */
export function registerSitePageRoutes(console: AdminRouter): void {
  console.get(pagesPath, ['editor', 'viewer'], showPages)
  console.get(`${pagesPath}/new`, ['editor'], async context => buildNewPage(context, emptyPageInput, { errors: {} }))
  console.post(`${pagesPath}/new`, ['editor'], create)
  console.post(`${pagesPath}/preview`, ['editor'], previewForm)
  console.get(`${pagesPath}/:id`, ['editor'], showEditor)
  console.post(`${pagesPath}/:id`, ['editor'], save)
  console.post(`${pagesPath}/:id/preview`, ['editor'], previewForm)
  console.get(`${pagesPath}/:id/delete`, ['editor'], askToRemove)
  console.post(`${pagesPath}/:id/delete`, ['editor'], remove)
}

async function showPages(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('site-page', context.language)
  const { body: rows } = await context.api.get<StoredPage[]>('/pages')
  return {
    title: getMessages('admin', context.language).nav.pages,
    menu: pagesPath,
    actions: context.hasRole('editor') ? (
      <a class="button" href={`${pagesPath}/new`}>
        {strings.create}
      </a>
    ) : undefined,
    body: (
      <Table
        context={context}
        caption={getMessages('admin', context.language).nav.pages}
        columns={buildColumns(context)}
        rows={rows}
        empty={strings.empty}
      />
    )
  }
}

function listWritten({ texts }: StoredPage): Language[] {
  return languages.filter(language => texts[language] !== undefined)
}

/** The title in the console's language, else in the other. */
function getTitle({ language }: AdminContext, { kind, texts }: StoredPage): string {
  const written = texts[language] ?? Object.values(texts)[0]
  return written?.title ?? (kind === null ? '' : getMessages('layout', language)[kind])
}

function buildColumns(context: AdminContext): Column<StoredPage>[] {
  const strings = getMessages('site-page', context.language)
  return [
    {
      label: strings.title,
      isHead: true,
      cell: page =>
        context.hasRole('editor') ? (
          <a href={`${pagesPath}/${page.id}`} dir="auto">
            {getTitle(context, page)}
          </a>
        ) : (
          <span dir="auto">{getTitle(context, page)}</span>
        )
    },
    {
      label: strings.status,
      cell: page =>
        page.kind !== null && listWritten(page).length === 0 ? strings.noText[page.kind] : strings.statuses[page.status]
    },
    { label: strings.place, isNamed: true, cell: page => strings.places[page.place] },
    { label: strings.order, isNumber: true, cell: page => String(page.order) },
    { label: strings.languages, cell: page => <LanguageMarks context={context} written={listWritten(page)} /> }
  ]
}

function buildNewPage(context: AdminContext, input: PageInput, wrong: FormErrors): AdminPage {
  const language = getTextLanguage(context)
  return buildEditorPage(context, {
    title: getMessages('site-page', context.language).create,
    menu: pagesPath,
    language,
    wrong,
    scripts,
    children: <PageForm {...wrong} context={context} page={undefined} language={language} etag="" input={input} />
  })
}

async function create(context: AdminContext): Promise<AdminPage | Redirect> {
  const language = getTextLanguage(context)
  const input = parseInput(context, pageFields)
  try {
    const { body } = await context.api.post<StoredPage>('/pages', toPageBody(input, language, undefined))
    context.flash({ text: getMessages('site-page', context.language).created })
    return redirect(withQuery(`${pagesPath}/${body.id}`, { lang: language }), 303)
  } catch (error) {
    return buildNewPage(context, input, toErrors(context, error))
  }
}

/** Errors name the language of the text, which the form has only once. */
function toErrors(context: AdminContext, error: unknown): FormErrors {
  const { fields, general } = toFormErrors(error)
  const labels = getLabels(pageFields, getMessages('site-page', context.language))
  const errors: Record<string, string> = {}
  let others = general
  for (const [path, message] of Object.entries(fields)) {
    const name = path.split('/').at(-1) ?? ''
    const label = labels[name]
    if (label === undefined) others = message
    else errors[name] = message.replace(/^[\w.]+ /, `${label} `)
  }
  return { errors, general: others }
}

async function readPage(context: AdminContext): Promise<{ page: StoredPage; etag: string }> {
  const { body, etag } = await context.api.get<StoredPage>(`/pages/${encodeURIComponent(context.params.id ?? '')}`)
  return { page: body, etag }
}

async function showEditor(context: AdminContext): Promise<AdminPage> {
  const { page, etag } = await readPage(context)
  return buildEditor(context, page, { etag, input: toPageInput(page, getTextLanguage(context)), errors: {} })
}

interface EditorState extends FormErrors {
  etag: string
  input: PageInput
  isConflict?: boolean
}

function buildEditor(context: AdminContext, page: StoredPage, shown: EditorState): AdminPage {
  const strings = getMessages('site-page', context.language)
  const language = getTextLanguage(context)
  const { isConflict = false, ...form } = shown
  const address = page.status === 'published' ? getPagePath(page, language) : undefined
  return buildEditorPage(context, {
    title: form.input.title || getTitle(context, page),
    menu: pagesPath,
    id: page.id,
    language,
    written: listWritten(page),
    wrong: shown,
    differences: isConflict ? listDifferences(context, page, form.input) : undefined,
    scripts,
    actions:
      address === undefined ? undefined : (
        <a class="button quiet" href={address}>
          {strings.view}
        </a>
      ),
    children: <PageForm {...form} context={context} page={page} language={language} />,
    end:
      page.kind === null ? (
        <a class="button small quiet danger" href={`${pagesPath}/${page.id}/delete`}>
          {strings.delete}
        </a>
      ) : undefined
  })
}

function listDifferences(context: AdminContext, page: StoredPage, yours: PageInput): Difference[] {
  const labels = getLabels(pageFields, getMessages('site-page', context.language))
  return listFieldDifferences(labels, toPageInput(page, getTextLanguage(context)), yours)
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const language = getTextLanguage(context)
  const input = parseInput(context, pageFields)
  const { page, etag } = await readPage(context)
  const sent = getFormField(context, 'etag')
  try {
    await context.api.patch(`/pages/${page.id}`, toPageBody(input, language, page), { 'if-match': sent || '*' })
    context.flash({ text: getMessages('site-page', context.language).saved })
    return redirect(withQuery(`${pagesPath}/${page.id}`, { lang: language }), 303)
  } catch (error) {
    return isConflict(error)
      ? buildEditor(context, page, { etag, input, errors: {}, isConflict: true })
      : buildEditor(context, page, { ...toErrors(context, error), etag: sent, input })
  }
}

/** Previews the form's input, saved or not. */
async function previewForm(context: AdminContext): Promise<SitePage> {
  const strings = getMessages('site-page', context.language)
  const language = getTextLanguage(context)
  const { title, slug, content } = parseInput(context, pageFields)
  const text = {
    title: title || strings.untitled,
    slug,
    content: await toRichText({ site: { ownHosts: noHosts } }, content)
  }
  const page = buildTextPage({ ...context, language }, { kind: null, texts: { [language]: text } })
  return {
    language,
    sitePage: {
      ...page,
      noindex: true,
      alternates: {},
      body: (
        <>
          <p class="notice warn no-print" lang={context.language}>
            <strong>{strings.previewBar}</strong> {strings.previewUnsaved}
          </p>
          {page.body}
        </>
      )
    }
  }
}

async function askToRemove(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('site-page', context.language)
  const { page } = await readPage(context)
  const path = `${pagesPath}/${page.id}`
  return buildConfirmDeletePage(context, {
    title: strings.question({ title: getTitle(context, page) }),
    menu: pagesPath,
    text: <p>{strings.questionText}</p>,
    action: `${path}/delete`,
    fields: { name: getTitle(context, page) },
    yes: strings.delete,
    back: path
  })
}

async function remove(context: AdminContext): Promise<Redirect> {
  await context.api.delete(`/pages/${encodeURIComponent(context.params.id ?? '')}`)
  context.flash({ text: getMessages('site-page', context.language).removed({ title: getFormField(context, 'name') }) })
  return redirect(pagesPath, 303)
}
