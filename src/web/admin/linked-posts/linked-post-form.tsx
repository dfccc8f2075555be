import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Image } from '../../server/calendar-api.ts'
import { ImageField } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import type { LinkedPostInput, LinkedPostType } from './linked-post-type.ts'

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
  const strings = getMessages('calendar-admin', context.language)
  const { editor, statuses } = getMessages('event-admin', context.language)
  const form = { context, strings, input, errors }
  const offered = ['publish', 'draft', 'private', ...(input.status === 'pending' ? ['pending' as const] : [])]
  const options = offered.map(value => ({ value, label: statuses[value as keyof typeof statuses] }))
  return (
    <EditorForm {...{ context, id, language, etag, errors, general }} menu={`/admin/${kind.collection}`} upload>
      <div class="editor-columns">
        <div class="editor-main">
          <section class="card">
            <h2 class="visually-hidden">{editor.text}</h2>
            <FormFields {...form} fields={kind.fields.text ?? []} language={language} other={other} />
          </section>
          {kind.cards.map(title => (
            <section key={title} class="card">
              <h2>{strings[title]}</h2>
              <FormFields {...form} fields={kind.fields[title] ?? []} />
            </section>
          ))}
        </div>
        <div class="editor-side">
          <section class="card">
            <h2>{editor.publication}</h2>
            <FormFields {...form} fields={kind.fields.status ?? []} overrides={{ status: { options } }} />
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
