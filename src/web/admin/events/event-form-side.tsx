import { getMessages } from '#platform/messages/messages.ts'
import { ImageField } from '../images/image-field.tsx'
import { ApplyChoice } from '../series/apply-choice.tsx'
import { CheckboxGroup } from '../shared/calendar/fields.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { sortAsTree } from './event-choices.ts'
import { eventFields } from './event-fields.ts'
import type { EventFormProps } from './event-form.tsx'

/** Sidebar of the editor: publication, categories and tags. */
export function EventFormSide(props: EventFormProps) {
  const { context, input, image, choices, errors, seriesText } = props
  return (
    <div class="editor-side">
      {seriesText === undefined ? null : (
        <div class="card">
          <ApplyChoice context={context} act="save" chosen={input.apply} error={errors.apply} />
        </div>
      )}
      <PublicationFields {...props} />
      <section class="card">
        <h2>{getMessages('event-admin', context.language).editor.picture}</h2>
        <ImageField context={context} value={input.image} current={image} images={choices.images} errors={errors} />
      </section>
      <AboutFields {...props} />
      <DisplayFields {...props} />
    </div>
  )
}

function PublicationFields({ context, id, input, hasPassword, errors }: EventFormProps) {
  const { editor: strings, statuses, happenings } = getMessages('event-admin', context.language)
  const form = { context, strings, input, errors }
  const offered = ['publish', 'future', 'draft', 'private', ...(input.status === 'pending' ? ['pending'] : [])]
  const options = offered.map(value => ({ value, label: statuses[value as keyof typeof statuses] }))
  const eventStatuses = Object.entries(happenings).map(([value, label]) => ({ value, label }))
  return (
    <section class="card">
      <h2>{strings.publication}</h2>
      <FormFields {...form} fields={eventFields.status} overrides={{ status: { options } }} />
      <div data-shown-for="status=future">
        <FormFields {...form} fields={eventFields.publishAt} />
      </div>
      <FormFields {...form} fields={eventFields.eventStatus} overrides={{ event_status: { options: eventStatuses } }} />
      <details open={errors.post_password !== undefined || input.post_password !== ''}>
        <summary>{strings.password}</summary>
        <FormFields
          {...form}
          fields={eventFields.password}
          overrides={hasPassword ? { post_password: { hint: strings.passwordKept } } : {}}
        />
        {hasPassword && id !== undefined ? <FormFields {...form} fields={eventFields.removePassword} /> : null}
      </details>
    </section>
  )
}

function AboutFields({ context, input, choices, errors }: EventFormProps) {
  const strings = getMessages('event-admin', context.language).editor
  const form = { context, strings, input, errors }
  const categories = sortAsTree(choices.categories).map(({ term, depth }) => ({
    value: String(term.id),
    label: term.name,
    depth
  }))
  const tags = choices.tags.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <section class="card">
      <h2>{strings.about}</h2>
      <CheckboxGroup
        name="categories"
        legend={strings.categories}
        options={categories}
        chosen={input.categories}
        empty={strings.noTerms}
        error={errors.categories}
      />
      <FormFields {...form} fields={eventFields.newCategories} />
      <CheckboxGroup
        name="tags"
        legend={strings.tags}
        options={tags}
        chosen={input.tags}
        empty={strings.noTerms}
        error={errors.tags}
      />
      <FormFields {...form} fields={eventFields.newTags} />
    </section>
  )
}

function DisplayFields({ context, input, errors }: EventFormProps) {
  const strings = getMessages('event-admin', context.language).editor
  return (
    <section class="card">
      <h2>{strings.looks}</h2>
      <FormFields {...{ context, strings, input, errors }} fields={eventFields.display} />
    </section>
  )
}
