import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Image } from '../../server/calendar-api.ts'
import { RepeatFields, type RepeatFieldsProps } from '../series/repeat-form.tsx'
import { CheckboxGroup } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import type { EventChoices } from './event-choices.ts'
import { type EventInput, eventFields, getEventStrings, getNewItem, type NewItemPrefix } from './event-fields.ts'
import { EventFormSide } from './event-form-side.tsx'

const menu = '/admin/events'

export interface EventFormProps extends Pick<RepeatFieldsProps, 'dates'> {
  context: AdminContext
  /** Undefined for a new event. */
  id?: number | undefined
  language: Language
  /** ETag of the version that was read: saving must not overwrite a newer one. */
  etag: string
  input: EventInput
  /** Text of the other language, to copy from. */
  other: Record<string, string> | undefined
  choices: EventChoices
  image: Image | undefined
  hasPassword: boolean
  /** The rule of its series in words. */
  seriesText?: string | undefined
  errors: Record<string, string>
  general?: string | undefined
}

/** The event form: text in one language, and fields shared by all languages. */
export function EventForm(props: EventFormProps) {
  const { context, id, language, etag, input, errors, general, seriesText, dates } = props
  const strings = getMessages('event-admin', context.language).editor
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
      {/* The first button of a form is what Enter presses. */}
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
        {strings.saveByEnter}
      </button>
      {input.isPlanned ? <input type="hidden" name="planned" value="yes" /> : null}
      <div class="editor-columns">
        <div class="editor-main">
          <TextFields {...props} />
          <WhenFields {...props} />
          <RepeatFields {...{ context, errors, dates }} repeat={input.repeat} text={seriesText} />
          <WhereFields {...props} />
          <WhoFields {...props} />
          <MoreFields {...props} />
        </div>
        <EventFormSide {...props} />
      </div>
    </EditorForm>
  )
}

function getForm({ context, input, errors }: EventFormProps) {
  return { context, input, errors, strings: getEventStrings(context.language) }
}

function TextFields(props: EventFormProps) {
  const form = getForm(props)
  return (
    <section class="card">
      <h2 class="visually-hidden">{form.strings.text}</h2>
      <FormFields {...form} fields={eventFields.text} language={props.language} other={props.other} />
    </section>
  )
}

function WhenFields(props: EventFormProps) {
  const form = getForm(props)
  return (
    <section class="card">
      <h2>{form.strings.when}</h2>
      <FormFields {...form} fields={eventFields.when} rowClass="field-row when-row" />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map(zone => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </section>
  )
}

function WhereFields(props: EventFormProps) {
  const { input, choices } = props
  const form = getForm(props)
  const { strings } = form
  const nameOf = ({ venue, city }: { venue: string; city?: string }) =>
    city === undefined || city === '' || venue.includes(city) ? venue : `${venue}, ${city}`
  const venues = choices.venues.map(venue => ({ value: String(venue.id), label: nameOf(venue) }))
  const options = [{ value: '', label: strings.noVenue }, ...addUnknownOption(venues, input.venue)]
  return (
    <section class="card">
      <h2>{strings.where}</h2>
      <FormFields {...form} fields={eventFields.venue} overrides={{ venue: { options } }} />
      {input.alsoAt.length === 0 ? null : (
        <CheckboxGroup
          name="also_at"
          legend={strings.alsoAt}
          options={addUnknownOption(venues, ...input.alsoAt).filter(({ value }) => input.alsoAt.includes(value))}
          chosen={input.alsoAt}
          empty=""
        />
      )}
      <details class="new-one" open={isNewItemOpen(props, 'new_venue_')}>
        <summary>{strings.newVenue}</summary>
        <p class="hint">{strings.newVenueHint}</p>
        <FormFields {...form} fields={eventFields.newVenue} />
      </details>
    </section>
  )
}

function isNewItemOpen({ input, errors }: EventFormProps, prefix: NewItemPrefix): boolean {
  return Object.keys(getNewItem(input, prefix)).length > 0 || Object.keys(errors).some(name => name.startsWith(prefix))
}

function WhoFields(props: EventFormProps) {
  const { input, choices, errors } = props
  const form = getForm(props)
  const { strings } = form
  const options = choices.organizers.map(({ id, organizer }) => ({ value: String(id), label: organizer }))
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
      <details class="new-one" open={isNewItemOpen(props, 'new_organizer_')}>
        <summary>{strings.newOrganizer}</summary>
        <p class="hint">{strings.newOrganizerHint}</p>
        <FormFields {...form} fields={eventFields.newOrganizer} />
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

function MoreFields(props: EventFormProps) {
  const form = getForm(props)
  return (
    <section class="card">
      <h2>{form.strings.more}</h2>
      <FormFields {...form} fields={eventFields.more} />
    </section>
  )
}
