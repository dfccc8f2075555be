import type { Language } from '#platform/language.ts'
import type { Term } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import { sortAsTree } from '../events/event-choices.ts'
import { decodeSlug } from '../events/event-input.ts'
import { Select } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { getTextAreaField, LineField, LinesField, toHtml, toPlainLines } from '../shared/rich-text-field.tsx'

export type TermCollection = 'categories' | 'tags'

export interface TermInput {
  name: string
  description: string
  slug: string
  /** Id of the parent category; empty for none. */
  parent: string
}

export const emptyTermInput: TermInput = { name: '', description: '', slug: '', parent: '' }

export function toTermInput(term: Term, language: Language): TermInput {
  const parent = term.parent === undefined || term.parent === 0 ? '' : String(term.parent)
  if (term.language !== language) return { ...emptyTermInput, parent }
  const { name, description = '' } = term
  return { name, description: toPlainLines(description), slug: decodeSlug(term.slug), parent }
}

export function parseTermInput(context: AdminContext): TermInput {
  return {
    name: getFormField(context, 'name'),
    description: getTextAreaField(context, 'description'),
    slug: getFormField(context, 'slug'),
    parent: getFormField(context, 'parent')
  }
}

export function toTermBody(collection: TermCollection, input: TermInput): Record<string, unknown> {
  const { name, description, slug, parent } = input
  return {
    name,
    description: toHtml(description),
    slug,
    ...(collection === 'categories' ? { parent: parent === '' ? 0 : parent } : {})
  }
}

export function getTermLabels(context: AdminContext): Record<string, string> {
  const { name, description, slug, parent } = calendarAdminStrings[context.language]
  return { name, description, slug, parent }
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
  const strings = calendarAdminStrings[context.language]
  const text = { context, language }
  return (
    <EditorForm {...{ context, id, language, etag, errors, general }} menu={`/admin/${collection}`} look="narrow">
      <div class="card">
        <LineField
          {...text}
          name="name"
          label={strings.name}
          value={input.name}
          other={other?.name}
          error={errors.name}
          maxLength={200}
          required
        />
        <LinesField
          {...text}
          name="description"
          label={strings.description}
          value={input.description}
          other={other?.description}
          error={errors.description}
        />
        <LineField
          {...text}
          name="slug"
          label={strings.slug}
          hint={strings.slugHint}
          value={input.slug}
          error={errors.slug}
          maxLength={400}
        />
        {collection === 'tags' ? null : (
          <Select
            name="parent"
            label={strings.parent}
            value={input.parent}
            error={errors.parent}
            options={[
              { value: '', label: strings.noParent },
              ...sortAsTree(categories)
                .filter(({ term }) => term.id !== id)
                .map(({ term, depth }) => ({ value: String(term.id), label: '\u2003'.repeat(depth) + term.name }))
            ]}
          />
        )}
      </div>
    </EditorForm>
  )
}
