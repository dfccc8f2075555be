import { Checkbox, Field } from '../../components/field.tsx'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import { ImageField } from '../images/image-field.tsx'
import { CheckboxGroup, Select } from '../shared/calendar/fields.tsx'
import { sortAsTree } from './event-choices.ts'
import type { EventFormProps } from './event-form.tsx'

/** Sidebar of the editor: publication, categories and tags. */
export function EventFormSide(props: EventFormProps) {
  const { context, input, image, choices, errors } = props
  return (
    <div class="editor-side">
      <PublicationFields {...props} />
      <section class="card">
        <h2>{eventAdminStrings[context.language].editor.picture}</h2>
        <ImageField context={context} value={input.image} current={image} images={choices.images} errors={errors} />
      </section>
      <AboutFields {...props} />
      <DisplayFields {...props} />
    </div>
  )
}

function PublicationFields({ context, id, input, hasPassword, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language]
  const offered = ['publish', 'future', 'draft', 'private', ...(input.status === 'pending' ? ['pending'] : [])]
  return (
    <section class="card">
      <h2>{strings.editor.publication}</h2>
      <Select
        name="status"
        label={strings.editor.status}
        value={input.status}
        options={offered.map(value => ({ value, label: strings.statuses[value as keyof typeof strings.statuses] }))}
        error={errors.status}
      />
      <div data-shown-for="status=future">
        <Field
          name="publish_at"
          type="datetime-local"
          label={strings.editor.publishAt}
          hint={strings.editor.publishAtHint}
          value={input.publishAt}
          error={errors.publish_at ?? errors.date}
        />
      </div>
      <Select
        name="event_status"
        label={strings.editor.eventStatus}
        value={input.eventStatus}
        options={Object.entries(strings.happenings).map(([value, label]) => ({ value, label }))}
        error={errors.event_status}
      />
      <details open={errors.post_password !== undefined || input.password !== ''}>
        <summary>{strings.editor.password}</summary>
        <Field
          name="post_password"
          label={strings.editor.password}
          hint={hasPassword ? strings.editor.passwordKept : strings.editor.passwordHint}
          value={input.password}
          error={errors.post_password}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
        />
        {hasPassword && id !== undefined ? (
          <Checkbox name="remove_password" label={strings.editor.removePassword} checked={input.removesPassword} />
        ) : null}
      </details>
    </section>
  )
}

function AboutFields({ context, input, choices, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
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
      <Field
        name="new_categories"
        label={strings.newCategories}
        hint={strings.newTermsHint}
        value={input.newCategories}
        maxLength={1000}
      />
      <CheckboxGroup
        name="tags"
        legend={strings.tags}
        options={tags}
        chosen={input.tags}
        empty={strings.noTerms}
        error={errors.tags}
      />
      <Field
        name="new_tags"
        label={strings.newTags}
        hint={strings.newTermsHint}
        value={input.newTags}
        maxLength={1000}
      />
    </section>
  )
}

function DisplayFields({ context, input }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  return (
    <section class="card">
      <h2>{strings.looks}</h2>
      <Checkbox name="featured" label={strings.featured} hint={strings.featuredHint} checked={input.featured} />
      <Checkbox name="sticky" label={strings.sticky} hint={strings.stickyHint} checked={input.sticky} />
      <Checkbox name="hide_from_listings" label={strings.hidden} hint={strings.hiddenHint} checked={input.hidden} />
    </section>
  )
}
