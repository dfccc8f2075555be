import { getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import type { SitePage } from '#platform/pages/schema.ts'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm, type FormErrors } from '../shared/editor.tsx'
import type { FieldGroups, FieldInput, TextKey } from '../shared/forms/field-definition.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { newInput } from '../shared/forms/form-input.ts'

export const pagesPath = '/admin/pages'

export const pageFields = {
  text: [
    { name: 'title', label: 'title', isTranslated: true, maxLength: 200, required: true },
    { name: 'content', kind: 'html', label: 'content', isTranslated: true, maxLength: 100_000, rows: 18 },
    { name: 'slug', kind: 'slug', label: 'slug', hint: 'slugHint', isTranslated: true, maxLength: 100 }
  ],
  menu: [
    { name: 'status', kind: 'select', label: 'status', initial: 'draft' },
    { name: 'place', kind: 'select', label: 'place', hint: 'placeHint', initial: 'none' },
    { name: 'order', kind: 'number', label: 'order', hint: 'orderHint', initial: '50', min: 0, max: 999 }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'site-page'>>>

export type PageInput = FieldInput<typeof pageFields>

export const emptyPageInput = newInput(pageFields)

export function toPageInput(page: SitePage, language: Language): PageInput {
  const { title = '', content = '', slug = '' } = page.texts[language] ?? {}
  return { title, content, slug, status: page.status, place: page.place, order: String(page.order) }
}

/** An empty title and text remove the text of the language. */
export function toPageBody(input: PageInput, language: Language, page: SitePage | undefined): object {
  const { title, content, slug, status, place, order } = input
  const isEmpty = title === '' && content === ''
  const text = page?.kind == null ? { title, content, slug } : { title, content }
  return {
    status,
    place,
    ...(order === '' ? {} : { order: Number(order) }),
    ...(isEmpty && page !== undefined ? { texts: { [language]: null } } : { texts: { [language]: text } })
  }
}

export function PageForm({
  context,
  page,
  language,
  etag,
  input,
  errors,
  general
}: FormErrors & {
  context: AdminContext
  /** Undefined for a new page. */
  page: SitePage | undefined
  language: Language
  etag: string
  input: PageInput
}) {
  const strings = getMessages('site-page', context.language)
  const form = { context, strings, input, errors }
  const toOptions = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }))
  const { none, ...linked } = strings.places
  const isBuiltIn = page?.kind != null
  const places = page?.kind === 'imprint' || page?.kind === 'privacy' ? linked : { ...linked, none }
  const id = page?.id
  const other = page?.texts[getOtherLanguage(language)]
  const [title, content, slug] = pageFields.text
  return (
    <EditorForm
      {...{ context, id, language, etag, errors, general }}
      menu={pagesPath}
      look="narrow"
      more={
        <button
          type="submit"
          class="quiet"
          formaction={`${pagesPath}${id === undefined ? '' : `/${id}`}/preview?lang=${language}`}
          formtarget="_blank"
          formnovalidate
        >
          {strings.preview}
          <span class="visually-hidden"> ({strings.previewNew})</span>
        </button>
      }
    >
      <div class="card">
        <FormFields {...form} fields={[title, content]} language={language} other={other} />
        {isBuiltIn ? (
          <p class="hint">{strings.addressFixed}</p>
        ) : (
          <FormFields {...form} fields={[slug]} language={language} />
        )}
      </div>
      <fieldset class="card">
        <legend>{strings.menuCard}</legend>
        {isBuiltIn ? (
          <input type="hidden" name="status" value="published" />
        ) : (
          <FormFields
            {...form}
            fields={[pageFields.menu[0]]}
            overrides={{ status: { options: toOptions(strings.statuses) } }}
          />
        )}
        <FormFields
          {...form}
          fields={[pageFields.menu[1], pageFields.menu[2]]}
          overrides={{ place: { options: toOptions(places) } }}
        />
      </fieldset>
    </EditorForm>
  )
}
