import type { Language } from '#platform/language.ts'
import type { Image } from '../../calendar-api.ts'
import { eventWords } from '../../text/events.ts'
import { placeWords } from '../../text/places.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../calendar-parts.tsx'
import type { Desk } from '../console.ts'
import { EditorForm } from '../editor.tsx'
import { decodedSlug } from '../events/event-input.ts'
import { ImageField, imageChosen } from '../images/image-field.tsx'
import { LineField, RichField, typedIn } from '../rich-field.tsx'
import { nameIn, type Place, type PlaceKind, partsOf } from './place-kinds.ts'

/** Everything in the editor of a venue or organizer, by the API's names. */
export type PlaceInput = Record<string, string>

export function newPlaceInput(kind: PlaceKind): PlaceInput {
  const parts = partsOf(kind).map(({ name }) => [name, ''])
  return { [kind.name]: '', description: '', slug: '', image: '', status: 'publish', ...Object.fromEntries(parts) }
}

export function placeInputOf(kind: PlaceKind, place: Place, language: Language): PlaceInput {
  const text =
    place.language === language
      ? { [kind.name]: nameIn(kind, place), description: place.description ?? '', slug: decodedSlug(place.slug) }
      : {}
  const parts = partsOf(kind).map(({ name }) => [name, partIn(place, name)])
  return {
    ...newPlaceInput(kind),
    ...text,
    ...Object.fromEntries(parts),
    image: place.image === undefined || place.image === false ? '' : String(place.image.id),
    status: place.status
  }
}

function partIn(place: Place, name: string): string {
  const value = place[name]
  return value === undefined || value === null ? '' : String(value)
}

export function placeInputFrom(desk: Desk, kind: PlaceKind): PlaceInput {
  const names = Object.keys(newPlaceInput(kind))
  return { ...Object.fromEntries(names.map(name => [name, typedIn(desk, name)])), image: imageChosen(desk) }
}

export function placeBodyOf(kind: PlaceKind, { image = '', ...input }: PlaceInput): Record<string, unknown> {
  const numbers = partsOf(kind).flatMap(({ name, isNumber }) =>
    // A comma is how German writes it.
    isNumber === true ? [[name, (input[name] ?? '').replace(',', '.') || null]] : []
  )
  return { ...input, ...Object.fromEntries(numbers), image: image === '' ? null : Number(image) }
}

export function placeLabels(desk: Desk, kind: PlaceKind): Record<string, string> {
  const words = placeWords[desk.language]
  return {
    [kind.name]: words.name,
    description: words.description,
    slug: words.slug,
    image: words.image,
    status: words.state,
    ...Object.fromEntries(partsOf(kind).map(({ name, label }) => [name, String(words[label])]))
  }
}

export function PlaceForm({
  desk,
  kind,
  id,
  language,
  etag,
  input,
  other,
  images,
  image,
  errors,
  general
}: {
  desk: Desk
  kind: PlaceKind
  id?: number | undefined
  language: Language
  etag: string
  input: PlaceInput
  /** What the other language has. */
  other: PlaceInput | undefined
  images: Image[]
  image: Image | undefined
  errors: Record<string, string>
  general?: string | undefined
}) {
  const words = placeWords[desk.language]
  const { statuses } = eventWords[desk.language]
  const text = { desk, language }
  const offered = ['publish', 'draft', 'private', ...(input.status === 'pending' ? ['pending' as const] : [])]
  return (
    <EditorForm {...{ desk, id, language, etag, errors, general }} menu={`/admin/${kind.collection}`} upload>
      <div class="editor-columns">
        <div class="editor-main">
          <section class="card">
            <h2 class="visually-hidden">{eventWords[desk.language].editor.text}</h2>
            <LineField
              {...text}
              name={kind.name}
              label={words.name}
              value={input[kind.name] ?? ''}
              other={other?.[kind.name]}
              error={errors[kind.name]}
              required
            />
            <RichField
              {...text}
              name="description"
              label={words.description}
              value={input.description ?? ''}
              other={other?.description}
              error={errors.description}
            />
            <LineField
              {...text}
              name="slug"
              label={words.slug}
              hint={words.slugHint}
              value={input.slug ?? ''}
              error={errors.slug}
              maxLength={400}
            />
          </section>
          {kind.groups.map(({ title, parts }) => (
            <section key={title} class="card">
              <h2>{String(words[title])}</h2>
              <div class="field-row">
                {parts.map(part => (
                  <Field
                    key={part.name}
                    name={part.name}
                    label={String(words[part.label])}
                    value={input[part.name] ?? ''}
                    error={errors[part.name]}
                    type={part.type ?? 'text'}
                    maxLength={part.type === 'url' ? 2000 : 500}
                    {...(part.hint === undefined ? {} : { hint: words[part.hint] })}
                    {...(part.inputMode === undefined ? {} : { inputMode: part.inputMode })}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
        <div class="editor-side">
          <section class="card">
            <h2>{eventWords[desk.language].editor.publication}</h2>
            <Select
              name="status"
              label={words.state}
              value={input.status ?? 'publish'}
              options={offered.map(value => ({ value, label: statuses[value as keyof typeof statuses] }))}
              error={errors.status}
            />
          </section>
          <section class="card">
            <h2>{words.image}</h2>
            <ImageField desk={desk} value={input.image ?? ''} current={image} images={images} errors={errors} />
          </section>
        </div>
      </div>
    </EditorForm>
  )
}
