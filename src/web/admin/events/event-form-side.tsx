import { eventWords } from '../../text/events.ts'
import { Check, Field } from '../../ui/field.tsx'
import { Choices, Select } from '../calendar-parts.tsx'
import { ImageField } from '../images/image-field.tsx'
import { inTree } from './event-choices.ts'
import type { EventFormProps } from './event-form.tsx'

/** What stands beside the text of an event: how it is published and where it is filed. */
export function EventFormSide(props: EventFormProps) {
  const { desk, input, image, choices, errors } = props
  return (
    <div class="editor-side">
      <PublicationFields {...props} />
      <section class="card">
        <h2>{eventWords[desk.language].editor.picture}</h2>
        <ImageField desk={desk} value={input.image} current={image} images={choices.images} errors={errors} />
      </section>
      <AboutFields {...props} />
      <LookFields {...props} />
    </div>
  )
}

function PublicationFields({ desk, id, input, hasPassword, errors }: EventFormProps) {
  const words = eventWords[desk.language]
  const offered = ['publish', 'future', 'draft', 'private', ...(input.status === 'pending' ? ['pending'] : [])]
  return (
    <section class="card">
      <h2>{words.editor.publication}</h2>
      <Select
        name="status"
        label={words.editor.status}
        value={input.status}
        options={offered.map(value => ({ value, label: words.statuses[value as keyof typeof words.statuses] }))}
        error={errors.status}
      />
      <div data-shown-for="status=future">
        <Field
          name="publish_at"
          type="datetime-local"
          label={words.editor.publishAt}
          hint={words.editor.publishAtHint}
          value={input.publishAt}
          error={errors.publish_at ?? errors.date}
        />
      </div>
      <Select
        name="event_status"
        label={words.editor.eventStatus}
        value={input.eventStatus}
        options={Object.entries(words.happenings).map(([value, label]) => ({ value, label }))}
        error={errors.event_status}
      />
      <details open={errors.post_password !== undefined || input.password !== ''}>
        <summary>{words.editor.password}</summary>
        <Field
          name="post_password"
          label={words.editor.password}
          hint={hasPassword ? words.editor.passwordKept : words.editor.passwordHint}
          value={input.password}
          error={errors.post_password}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
        />
        {hasPassword && id !== undefined ? (
          <Check name="remove_password" label={words.editor.removePassword} checked={input.removesPassword} />
        ) : null}
      </details>
    </section>
  )
}

function AboutFields({ desk, input, choices, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  const categories = inTree(choices.categories).map(({ term, depth }) => ({
    value: String(term.id),
    label: term.name,
    depth
  }))
  const tags = choices.tags.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <section class="card">
      <h2>{words.about}</h2>
      <Choices
        name="categories"
        legend={words.categories}
        options={categories}
        chosen={input.categories}
        empty={words.noTerms}
        error={errors.categories}
      />
      <Field
        name="new_categories"
        label={words.newCategories}
        hint={words.newTermsHint}
        value={input.newCategories}
        maxLength={1000}
      />
      <Choices
        name="tags"
        legend={words.tags}
        options={tags}
        chosen={input.tags}
        empty={words.noTerms}
        error={errors.tags}
      />
      <Field name="new_tags" label={words.newTags} hint={words.newTermsHint} value={input.newTags} maxLength={1000} />
    </section>
  )
}

function LookFields({ desk, input }: EventFormProps) {
  const words = eventWords[desk.language].editor
  return (
    <section class="card">
      <h2>{words.looks}</h2>
      <Check name="featured" label={words.featured} hint={words.featuredHint} checked={input.featured} />
      <Check name="sticky" label={words.sticky} hint={words.stickyHint} checked={input.sticky} />
      <Check name="hide_from_listings" label={words.hidden} hint={words.hiddenHint} checked={input.hidden} />
    </section>
  )
}
