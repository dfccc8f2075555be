import type { Language } from '#platform/language.ts'
import { Field } from '../../components/field.tsx'
import type { Image } from '../../server/calendar-api.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import { decodeSlug } from '../events/event-input.ts'
import { getChosenImage, ImageField } from '../images/image-field.tsx'
import { Select } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { getTextAreaField, LineField, RichTextField } from '../shared/rich-text-field.tsx'
import { getName, type LinkedPost, type LinkedPostType, listFields } from './linked-post-type.ts'

/** All fields of the editor of a venue or organizer, by the API's names. */
export type LinkedPostInput = Record<string, string>

export function newLinkedPostInput(kind: LinkedPostType): LinkedPostInput {
  const parts = listFields(kind).map(({ name }) => [name, ''])
  return { [kind.name]: '', description: '', slug: '', image: '', status: 'publish', ...Object.fromEntries(parts) }
}

export function toLinkedPostInput(kind: LinkedPostType, place: LinkedPost, language: Language): LinkedPostInput {
  const text =
    place.language === language
      ? { [kind.name]: getName(kind, place), description: place.description ?? '', slug: decodeSlug(place.slug) }
      : {}
  const parts = listFields(kind).map(({ name }) => [name, getFieldText(place, name)])
  return {
    ...newLinkedPostInput(kind),
    ...text,
    ...Object.fromEntries(parts),
    image: place.image === undefined || place.image === false ? '' : String(place.image.id),
    status: place.status
  }
}

function getFieldText(place: LinkedPost, name: string): string {
  const value = place[name]
  return value === undefined || value === null ? '' : String(value)
}

export function parseLinkedPostInput(context: AdminContext, kind: LinkedPostType): LinkedPostInput {
  const names = Object.keys(newLinkedPostInput(kind))
  return {
    ...Object.fromEntries(names.map(name => [name, getTextAreaField(context, name)])),
    image: getChosenImage(context)
  }
}

export function toLinkedPostBody(
  kind: LinkedPostType,
  { image = '', ...input }: LinkedPostInput
): Record<string, unknown> {
  const numbers = listFields(kind).flatMap(({ name, isNumber }) =>
    // German writes decimals with a comma.
    isNumber === true ? [[name, (input[name] ?? '').replace(',', '.') || null]] : []
  )
  return { ...input, ...Object.fromEntries(numbers), image: image === '' ? null : Number(image) }
}

export function getLinkedPostLabels(context: AdminContext, kind: LinkedPostType): Record<string, string> {
  const strings = calendarAdminStrings[context.language]
  return {
    [kind.name]: strings.name,
    description: strings.description,
    slug: strings.slug,
    image: strings.image,
    status: strings.state,
    ...Object.fromEntries(listFields(kind).map(({ name, label }) => [name, String(strings[label])]))
  }
}

export function LinkedPostForm({
  context,
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
  context: AdminContext
  kind: LinkedPostType
  id?: number | undefined
  language: Language
  etag: string
  input: LinkedPostInput
  /** The text in the other language. */
  other: LinkedPostInput | undefined
  images: Image[]
  image: Image | undefined
  errors: Record<string, string>
  general?: string | undefined
}) {
  const strings = calendarAdminStrings[context.language]
  const { statuses } = eventAdminStrings[context.language]
  const text = { context, language }
  const offered = ['publish', 'draft', 'private', ...(input.status === 'pending' ? ['pending' as const] : [])]
  return (
    <EditorForm {...{ context, id, language, etag, errors, general }} menu={`/admin/${kind.collection}`} upload>
      <div class="editor-columns">
        <div class="editor-main">
          <section class="card">
            <h2 class="visually-hidden">{eventAdminStrings[context.language].editor.text}</h2>
            <LineField
              {...text}
              name={kind.name}
              label={strings.name}
              value={input[kind.name] ?? ''}
              other={other?.[kind.name]}
              error={errors[kind.name]}
              required
            />
            <RichTextField
              {...text}
              name="description"
              label={strings.description}
              value={input.description ?? ''}
              other={other?.description}
              error={errors.description}
            />
            <LineField
              {...text}
              name="slug"
              label={strings.slug}
              hint={strings.slugHint}
              value={input.slug ?? ''}
              error={errors.slug}
              maxLength={400}
            />
          </section>
          {kind.groups.map(({ title, parts }) => (
            <section key={title} class="card">
              <h2>{String(strings[title])}</h2>
              <div class="field-row">
                {parts.map(part => (
                  <Field
                    key={part.name}
                    name={part.name}
                    label={String(strings[part.label])}
                    value={input[part.name] ?? ''}
                    error={errors[part.name]}
                    type={part.type ?? 'text'}
                    maxLength={part.type === 'url' ? 2000 : 500}
                    {...(part.hint === undefined ? {} : { hint: strings[part.hint] })}
                    {...(part.inputMode === undefined ? {} : { inputMode: part.inputMode })}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
        <div class="editor-side">
          <section class="card">
            <h2>{eventAdminStrings[context.language].editor.publication}</h2>
            <Select
              name="status"
              label={strings.state}
              value={input.status ?? 'publish'}
              options={offered.map(value => ({ value, label: statuses[value as keyof typeof statuses] }))}
              error={errors.status}
            />
          </section>
          <section class="card">
            <h2>{strings.image}</h2>
            <ImageField context={context} value={input.image ?? ''} current={image} images={images} errors={errors} />
          </section>
        </div>
      </div>
    </EditorForm>
  )
}
