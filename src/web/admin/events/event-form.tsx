import type { Language } from '#platform/language.ts'
import type { Image } from '../../calendar-api.ts'
import { eventWords } from '../../text/events.ts'
import { placeWords } from '../../text/places.ts'
import { Check, Field } from '../../ui/field.tsx'
import { Choices, Select } from '../calendar-parts.tsx'
import type { Desk } from '../console.ts'
import { EditorForm } from '../editor.tsx'
import { LineField, LinesField, RichField } from '../rich-field.tsx'
import type { EventChoices } from './event-choices.ts'
import { EventFormSide } from './event-form-side.tsx'
import { type EventInput, organizerParts, type textIn, venueParts } from './event-input.ts'

const menu = '/admin/events'

export interface EventFormProps {
  desk: Desk
  /** Undefined for a new one. */
  id?: number | undefined
  language: Language
  /** Of what was read: saving replaces nothing newer. */
  etag: string
  input: EventInput
  /** The text of the other language, to copy from. */
  other: ReturnType<typeof textIn> | undefined
  choices: EventChoices
  image: Image | undefined
  hasPassword: boolean
  errors: Record<string, string>
  general?: string | undefined
}

/** Everything that can be said of an event: its text in one language, and what all languages share. */
export function EventForm(props: EventFormProps) {
  const { desk, id, language, etag, input, errors, general } = props
  const words = eventWords[desk.language].editor
  return (
    <EditorForm
      {...{ desk, menu, id, language, etag, errors, general }}
      upload
      more={
        <button
          type="submit"
          class="quiet"
          formaction={`${menu}${id === undefined ? '' : `/${id}`}/preview?lang=${language}`}
          formtarget="_blank"
          formnovalidate
        >
          {words.preview}
          <span class="visually-hidden"> ({words.previewNew})</span>
        </button>
      }
    >
      {input.isPlanned ? <input type="hidden" name="planned" value="yes" /> : null}
      <div class="editor-columns">
        <div class="editor-main">
          <TextFields {...props} />
          <WhenFields {...props} />
          <WhereFields {...props} />
          <WhoFields {...props} />
          <MoreFields {...props} />
        </div>
        <EventFormSide {...props} />
      </div>
    </EditorForm>
  )
}

function TextFields({ desk, language, input, other, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  const text = { desk, language }
  return (
    <section class="card">
      <h2 class="visually-hidden">{words.text}</h2>
      <LineField
        {...text}
        name="title"
        label={words.title}
        value={input.title}
        other={other?.title}
        error={errors.title}
        required
      />
      <RichField
        {...text}
        name="description"
        label={words.description}
        value={input.description}
        other={other?.description}
        error={errors.description}
      />
      <LinesField
        {...text}
        name="excerpt"
        label={words.excerpt}
        hint={words.excerptHint}
        value={input.excerpt}
        other={other?.excerpt}
        error={errors.excerpt}
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
    </section>
  )
}

function WhenFields({ desk, input, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  return (
    <section class="card">
      <h2>{words.when}</h2>
      <div class="field-row when-row">
        <Field
          name="start_date"
          type="date"
          label={words.startDate}
          value={input.startDate}
          error={errors.start_date}
          required
        />
        <Field
          name="start_time"
          type="time"
          label={words.startTime}
          value={input.startTime}
          error={errors.start_time}
        />
      </div>
      <div class="field-row when-row">
        <Field
          name="end_date"
          type="date"
          label={words.endDate}
          value={input.endDate}
          hint={words.endDateHint}
          error={errors.end_date}
        />
        <Field name="end_time" type="time" label={words.endTime} value={input.endTime} error={errors.end_time} />
      </div>
      <Check name="all_day" label={words.allDay} checked={input.allDay} />
      <Field
        name="timezone"
        label={words.timezone}
        value={input.timezone}
        error={errors.timezone}
        list="timezones"
        spellcheck={false}
      />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map(zone => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </section>
  )
}

function WhereFields({ desk, input, choices, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  const labels = { ...placeWords[desk.language], venue: words.name }
  const nameOf = ({ venue, city }: { venue: string; city?: string }) =>
    city === undefined || city === '' || venue.includes(city) ? venue : `${venue}, ${city}`
  const options = choices.venues.map(venue => ({ value: String(venue.id), label: nameOf(venue) }))
  const isOpen = venueParts.some(part => input.newVenue[part] !== '' || errors[`new_venue_${part}`] !== undefined)
  return (
    <section class="card">
      <h2>{words.where}</h2>
      <Select
        name="venue"
        label={words.venue}
        value={input.venue}
        options={[{ value: '', label: words.noVenue }, ...withUnknown(options, input.venue)]}
        error={errors.venue}
      />
      {input.alsoAt.length === 0 ? null : (
        <Choices
          name="also_at"
          legend={words.alsoAt}
          options={withUnknown(options, ...input.alsoAt).filter(({ value }) => input.alsoAt.includes(value))}
          chosen={input.alsoAt}
          empty=""
        />
      )}
      <details class="new-one" open={isOpen}>
        <summary>{words.newVenue}</summary>
        <p class="hint">{words.newVenueHint}</p>
        <div class="field-row">
          {venueParts.map(part => (
            <Field
              key={part}
              name={`new_venue_${part}`}
              label={labels[part]}
              value={input.newVenue[part]}
              error={errors[`new_venue_${part}`]}
              maxLength={500}
            />
          ))}
        </div>
      </details>
    </section>
  )
}

function WhoFields({ desk, input, choices, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  const labels = { ...placeWords[desk.language], organizer: words.name }
  const options = choices.organizers.map(({ id, organizer }) => ({ value: String(id), label: organizer }))
  const isOpen = organizerParts.some(
    part => input.newOrganizer[part] !== '' || errors[`new_organizer_${part}`] !== undefined
  )
  return (
    <section class="card">
      <h2>{words.who}</h2>
      <Choices
        name="organizer"
        isTitled
        legend={words.organizers}
        options={withUnknown(options, ...input.organizers)}
        chosen={input.organizers}
        empty={words.noOrganizers}
        error={errors.organizer}
      />
      <details class="new-one" open={isOpen}>
        <summary>{words.newOrganizer}</summary>
        <p class="hint">{words.newOrganizerHint}</p>
        <div class="field-row">
          {organizerParts.map(part => (
            <Field
              key={part}
              name={`new_organizer_${part}`}
              label={labels[part]}
              value={input.newOrganizer[part]}
              error={errors[`new_organizer_${part}`]}
              maxLength={500}
            />
          ))}
        </div>
      </details>
    </section>
  )
}

/** Of a list too long to offer in whole, what is chosen stays on offer. */
function withUnknown(
  options: { value: string; label: string }[],
  ...chosen: string[]
): { value: string; label: string }[] {
  const known = new Set(options.map(({ value }) => value))
  return [...options, ...chosen.filter(id => id !== '' && !known.has(id)).map(id => ({ value: id, label: `#${id}` }))]
}

function MoreFields({ desk, input, errors }: EventFormProps) {
  const words = eventWords[desk.language].editor
  return (
    <section class="card">
      <h2>{words.more}</h2>
      <div class="field-row">
        <Field
          name="cost"
          label={words.cost}
          hint={words.costHint}
          value={input.cost}
          error={errors.cost}
          maxLength={200}
        />
        <Field
          name="website"
          type="url"
          label={words.website}
          hint={words.websiteHint}
          value={input.website}
          error={errors.website}
          maxLength={2000}
        />
      </div>
    </section>
  )
}
