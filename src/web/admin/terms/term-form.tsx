import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import type { Term } from '../../server/calendar-api.ts'
import { sortAsTree } from '../events/event-choices.ts'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import type { FieldGroups, FieldInput, TextKey } from '../shared/forms/field-definition.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { newInput, toBody, toInput } from '../shared/forms/form-input.ts'

export type TermCollection = 'categories' | 'tags'

export const termFields = {
  text: [
    { name: 'name', label: 'name', isTranslated: true, maxLength: 200, required: true },
    { name: 'description', kind: 'paragraphs', label: 'description', isTranslated: true, maxLength: 20_000 },
    { name: 'slug', kind: 'slug', label: 'slug', hint: 'slugHint', isTranslated: true, maxLength: 400 }
  ],
  /** Tags have no parent. */
  parent: [{ name: 'parent', kind: 'select', label: 'parent', emptyValue: 0 }]
} as const satisfies FieldGroups<TextKey<Messages<'calendar-admin'>>>

export type TermInput = FieldInput<typeof termFields>

export const emptyTermInput = newInput(termFields)

export function toTermInput(context: AdminContext, term: Term, language: Language): TermInput {
  const input = toInput(context, termFields, term, language)
  return { ...input, parent: input.parent === '0' ? '' : input.parent }
}

export function toTermBody(context: AdminContext, collection: TermCollection, input: TermInput): object {
  const { body } = toBody(context, collection === 'tags' ? { text: termFields.text } : termFields, input)
  return body
}

export function TermForm({
  context,
  collection,
  id,
  language,
  etag,
  input,
  other,
  categories,
  errors,
  general
}: {
  context: AdminContext
  collection: TermCollection
  id?: number | undefined
  language: Language
  etag: string
  input: TermInput
  /** The text in the other language. */
  other: TermInput | undefined
  /** Possible parents. */
  categories: Term[]
  errors: Record<string, string>
  general?: string | undefined
}) {
  const strings = getMessages('calendar-admin', context.language)
  const form = { context, strings, input, errors }
  const parents = sortAsTree(categories)
    .filter(({ term }) => term.id !== id)
    .map(({ term, depth }) => ({ value: String(term.id), label: '\u2003'.repeat(depth) + term.name }))
  const options = [{ value: '', label: strings.noParent }, ...parents]
  return (
    <EditorForm {...{ context, id, language, etag, errors, general }} menu={`/admin/${collection}`} look="narrow">
      <div class="card">
        <FormFields {...form} fields={termFields.text} language={language} other={other} />
        {collection === 'tags' ? null : (
          <FormFields {...form} fields={termFields.parent} overrides={{ parent: { options } }} />
        )}
      </div>
    </EditorForm>
  )
}
