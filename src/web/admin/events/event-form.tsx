import type { Language } from '#platform/language.ts'
import { Checkbox, Field } from '../../components/field.tsx'
import type { Image } from '../../server/calendar-api.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import { CheckboxGroup, Select } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { LineField, LinesField, RichTextField } from '../shared/rich-text-field.tsx'
import type { EventChoices } from './event-choices.ts'
import { EventFormSide } from './event-form-side.tsx'
import { type EventInput, type getEventText, organizerParts, venueParts } from './event-input.ts'

const menu = '/admin/events'

export interface EventFormProps {
  context: AdminContext
  /** Undefined for a new event. */
  id?: number | undefined
  language: Language
  /** ETag of the version that was read: saving must not overwrite a newer one. */
  etag: string
  input: EventInput
  /** Text of the other language, to copy from. */
  other: ReturnType<typeof getEventText> | undefined
  choices: EventChoices
  image: Image | undefined
  hasPassword: boolean
  errors: Record<string, string>
  general?: string | undefined
}

/** The event form: text in one language, and fields shared by all languages. */
export function EventForm(props: EventFormProps) {
  const { context, id, language, etag, input, errors, general } = props
  const strings = eventAdminStrings[context.language].editor
  return (
    <EditorForm
      {...{ context, menu, id, language, etag, errors, general }}
      upload
      more={
        <button
          type="submit"
          class="quiet"
          formaction={`${menu}${id === undefined ? '' : `/${id}`}/preview?lang=${language}`}
          formtarget="_blank"
          formnovalidate
        >
          {strings.preview}
          <span class="visually-hidden"> ({strings.previewNew})</span>
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

function TextFields({ context, language, input, other, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  const text = { context, language }
  return (
    <section class="card">
      <h2 class="visually-hidden">{strings.text}</h2>
      <LineField
        {...text}
        name="title"
        label={strings.title}
        value={input.title}
        other={other?.title}
        error={errors.title}
        required
      />
      <RichTextField
        {...text}
        name="description"
        label={strings.description}
        value={input.description}
        other={other?.description}
        error={errors.description}
      />
      <LinesField
        {...text}
        name="excerpt"
        label={strings.excerpt}
        hint={strings.excerptHint}
        value={input.excerpt}
        other={other?.excerpt}
        error={errors.excerpt}
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
    </section>
  )
}

function WhenFields({ context, input, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  return (
    <section class="card">
      <h2>{strings.when}</h2>
      <div class="field-row when-row">
        <Field
          name="start_date"
          type="date"
          label={strings.startDate}
          value={input.startDate}
          error={errors.start_date}
          required
        />
        <Field
          name="start_time"
          type="time"
          label={strings.startTime}
          value={input.startTime}
          error={errors.start_time}
        />
      </div>
      <div class="field-row when-row">
        <Field
          name="end_date"
          type="date"
          label={strings.endDate}
          value={input.endDate}
          hint={strings.endDateHint}
          error={errors.end_date}
        />
        <Field name="end_time" type="time" label={strings.endTime} value={input.endTime} error={errors.end_time} />
      </div>
      <Checkbox name="all_day" label={strings.allDay} checked={input.allDay} />
      <Field
        name="timezone"
        label={strings.timezone}
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

function WhereFields({ context, input, choices, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  const labels = { ...calendarAdminStrings[context.language], venue: strings.name }
  const nameOf = ({ venue, city }: { venue: string; city?: string }) =>
    city === undefined || city === '' || venue.includes(city) ? venue : `${venue}, ${city}`
  const options = choices.venues.map(venue => ({ value: String(venue.id), label: nameOf(venue) }))
  const isOpen = venueParts.some(part => input.newVenue[part] !== '' || errors[`new_venue_${part}`] !== undefined)
  return (
    <section class="card">
      <h2>{strings.where}</h2>
      <Select
        name="venue"
        label={strings.venue}
        value={input.venue}
        options={[{ value: '', label: strings.noVenue }, ...addUnknownOption(options, input.venue)]}
        error={errors.venue}
      />
      {input.alsoAt.length === 0 ? null : (
        <CheckboxGroup
          name="also_at"
          legend={strings.alsoAt}
          options={addUnknownOption(options, ...input.alsoAt).filter(({ value }) => input.alsoAt.includes(value))}
          chosen={input.alsoAt}
          empty=""
        />
      )}
      <details class="new-one" open={isOpen}>
        <summary>{strings.newVenue}</summary>
        <p class="hint">{strings.newVenueHint}</p>
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

function WhoFields({ context, input, choices, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  const labels = { ...calendarAdminStrings[context.language], organizer: strings.name }
  const options = choices.organizers.map(({ id, organizer }) => ({ value: String(id), label: organizer }))
  const isOpen = organizerParts.some(
    part => input.newOrganizer[part] !== '' || errors[`new_organizer_${part}`] !== undefined
  )
  return (
    <section class="card">
      <h2>{strings.who}</h2>
      <CheckboxGroup
        name="organizer"
        isTitled
        legend={strings.organizers}
        options={addUnknownOption(options, ...input.organizers)}
        chosen={input.organizers}
        empty={strings.noOrganizers}
        error={errors.organizer}
      />
      <details class="new-one" open={isOpen}>
        <summary>{strings.newOrganizer}</summary>
        <p class="hint">{strings.newOrganizerHint}</p>
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

/** Adds the selected option if the list was too long to offer all. */
function addUnknownOption(
  options: { value: string; label: string }[],
  ...chosen: string[]
): { value: string; label: string }[] {
  const known = new Set(options.map(({ value }) => value))
  return [...options, ...chosen.filter(id => id !== '' && !known.has(id)).map(id => ({ value: id, label: `#${id}` }))]
}

function MoreFields({ context, input, errors }: EventFormProps) {
  const strings = eventAdminStrings[context.language].editor
  return (
    <section class="card">
      <h2>{strings.more}</h2>
      <div class="field-row">
        <Field
          name="cost"
          label={strings.cost}
          hint={strings.costHint}
          value={input.cost}
          error={errors.cost}
          maxLength={200}
        />
        <Field
          name="website"
          type="url"
          label={strings.website}
          hint={strings.websiteHint}
          value={input.website}
          error={errors.website}
          maxLength={2000}
        />
      </div>
    </section>
  )
}
