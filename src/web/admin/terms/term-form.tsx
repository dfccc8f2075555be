import type { Language } from '#platform/language.ts'
import type { Term } from '../../calendar-api.ts'
import { placeWords } from '../../text/places.ts'
import { field } from '../../visit.ts'
import { Select } from '../calendar-parts.tsx'
import type { Desk } from '../console.ts'
import { EditorForm } from '../editor.tsx'
import { inTree } from '../events/event-choices.ts'
import { decodedSlug } from '../events/event-input.ts'
import { htmlOfLines, LineField, LinesField, linesOf, typedIn } from '../rich-field.tsx'

export type TermCollection = 'categories' | 'tags'

export interface TermInput {
  name: string
  description: string
  slug: string
  /** The number of the category above; empty for none. */
  parent: string
}

export const noTerm: TermInput = { name: '', description: '', slug: '', parent: '' }

export function termInputOf(term: Term, language: Language): TermInput {
  const parent = term.parent === undefined || term.parent === 0 ? '' : String(term.parent)
  if (term.language !== language) return { ...noTerm, parent }
  const { name, description = '' } = term
  return { name, description: linesOf(description), slug: decodedSlug(term.slug), parent }
}

export function termInputFrom(desk: Desk): TermInput {
  return {
    name: field(desk, 'name'),
    description: typedIn(desk, 'description'),
    slug: field(desk, 'slug'),
    parent: field(desk, 'parent')
  }
}

export function termBodyOf(collection: TermCollection, input: TermInput): Record<string, unknown> {
  const { name, description, slug, parent } = input
  return {
    name,
    description: htmlOfLines(description),
    slug,
    ...(collection === 'categories' ? { parent: parent === '' ? 0 : parent } : {})
  }
}

export function termLabels(desk: Desk): Record<string, string> {
  const { name, description, slug, parent } = placeWords[desk.language]
  return { name, description, slug, parent }
}

export function TermForm({
  desk,
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
  desk: Desk
  collection: TermCollection
  id?: number | undefined
  language: Language
  etag: string
  input: TermInput
  /** What the other language has. */
  other: TermInput | undefined
  /** What it may belong to. */
  categories: Term[]
  errors: Record<string, string>
  general?: string | undefined
}) {
  const words = placeWords[desk.language]
  const text = { desk, language }
  return (
    <EditorForm {...{ desk, id, language, etag, errors, general }} menu={`/admin/${collection}`} look="narrow">
      <div class="card">
        <LineField
          {...text}
          name="name"
          label={words.name}
          value={input.name}
          other={other?.name}
          error={errors.name}
          maxLength={200}
          required
        />
        <LinesField
          {...text}
          name="description"
          label={words.description}
          value={input.description}
          other={other?.description}
          error={errors.description}
        />
        <LineField
          {...text}
          name="slug"
          label={words.slug}
          hint={words.slugHint}
          value={input.slug}
          error={errors.slug}
          maxLength={400}
        />
        {collection === 'tags' ? null : (
          <Select
            name="parent"
            label={words.parent}
            value={input.parent}
            error={errors.parent}
            options={[
              { value: '', label: words.noParent },
              ...inTree(categories)
                .filter(({ term }) => term.id !== id)
                .map(({ term, depth }) => ({ value: String(term.id), label: '\u2003'.repeat(depth) + term.name }))
            ]}
          />
        )}
      </div>
    </EditorForm>
  )
}
