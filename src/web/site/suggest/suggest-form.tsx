import { getMessages } from '#platform/messages/messages.ts'
import type { ProofOfWork as Proof } from '#platform/proof-of-work/schema.ts'
import { Checkbox, ErrorSummary, Field, Select } from '../../components/field.tsx'
import type { FormGuard } from '../../components/form-guard.ts'
import { Honeypot } from '../../components/honeypot.tsx'
import { ProofOfWork } from '../../components/proof-of-work.tsx'
import { UnrestoredInput } from '../../components/unrestored-input.tsx'
import { calendarPath, suggestionLengths, type Term, type Venue } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import type { SuggestErrors, SuggestInput } from './suggest-input.ts'

export const challengePath = `${calendarPath}/suggestions/challenge`
/** Hidden field that must stay empty. */
export const honeypotName = 'homepage'

export interface SuggestFormState extends FormGuard {
  typed: SuggestInput
  errors: SuggestErrors
  general?: string | undefined
}

/** What the form offers to choose from. */
export interface SuggestChoices {
  venues: Venue[]
  categories: Term[]
  proof: Proof
}

interface FormProps {
  context: PageContext
  choices: SuggestChoices
  form: SuggestFormState
}

/** The form; needs no script, unless a proof of work is required. */
export function SuggestForm({ context, choices, form }: FormProps) {
  const { language } = context
  const { typed, errors, general, key, started } = form
  const strings = getMessages('suggest', language)
  return (
    <form class="suggest-form card" method="post" action={getPath('suggest', language)} noValidate>
      <ErrorSummary title={strings.errors} errors={errors} general={general} />
      <fieldset>
        <legend>{strings.event}</legend>
        <Field
          name="title"
          label={strings.name}
          error={errors.title}
          value={typed.title}
          autocomplete="off"
          required
          maxLength={suggestionLengths.title}
        />
        <Field name="description" label={strings.description} hint={strings.descriptionHint} error={errors.description}>
          {tied => (
            <textarea {...tied} rows={6} maxLength={suggestionLengths.description}>
              {typed.description}
            </textarea>
          )}
        </Field>
      </fieldset>
      <TimeFields context={context} choices={choices} form={form} />
      <PlaceFields context={context} choices={choices} form={form} />
      <fieldset>
        <legend>{strings.you}</legend>
        <Field
          name="senderName"
          label={strings.senderName}
          error={errors.senderName}
          value={typed.senderName}
          autocomplete="name"
          maxLength={suggestionLengths.line}
        />
        <Field
          name="senderEmail"
          type="email"
          label={strings.senderEmail}
          hint={
            <>
              {strings.emailHint} <a href={getPath('privacy', language)}>{strings.privacy}</a>
            </>
          }
          error={errors.senderEmail}
          value={typed.senderEmail}
          autocomplete="email"
          required
          maxLength={suggestionLengths.email}
        />
        <Field name="message" label={strings.message} error={errors.message}>
          {tied => (
            <textarea {...tied} rows={3} maxLength={suggestionLengths.message}>
              {typed.message}
            </textarea>
          )}
        </Field>
      </fieldset>
      <Honeypot language={language} name={honeypotName} />
      <ProofOfWork context={context} proof={choices.proof} path={challengePath} texts={strings.proof} />
      <UnrestoredInput name="key" value={key} />
      <UnrestoredInput name="started" value={String(started)} />
      <button type="submit" class="large">
        {strings.send}
      </button>
      <p class="hint">{strings.next}</p>
    </form>
  )
}

function TimeFields({ context, form: { typed, errors } }: FormProps) {
  const strings = getMessages('suggest', context.language)
  return (
    <fieldset>
      <legend>{strings.when}</legend>
      <div class="field-row">
        <Field
          name="startDate"
          type="date"
          label={strings.startDate}
          error={errors.startDate}
          value={typed.startDate}
          required
        />
        <Field
          name="startTime"
          type="time"
          label={strings.startTime}
          error={errors.startTime}
          value={typed.startTime}
        />
      </div>
      <div class="field-row">
        <Field
          name="endDate"
          type="date"
          label={strings.endDate}
          hint={strings.endDateHint}
          error={errors.endDate}
          value={typed.endDate}
        />
        <Field
          name="endTime"
          type="time"
          label={strings.endTime}
          hint={strings.endTimeHint}
          error={errors.endTime}
          value={typed.endTime}
        />
      </div>
      <Checkbox
        name="allDay"
        label={strings.allDay}
        hint={strings.zone({ zone: context.site.timezone.replaceAll('_', ' ') })}
        checked={typed.allDay}
      />
    </fieldset>
  )
}

function PlaceFields({ context, choices, form: { typed, errors } }: FormProps) {
  const strings = getMessages('suggest', context.language)
  const { venues, categories } = choices
  return (
    <>
      <fieldset>
        <legend>{strings.where}</legend>
        {venues.length === 0 && errors.venue === undefined ? null : (
          <Select
            name="venue"
            label={strings.venue}
            error={errors.venue}
            value={typed.venue}
            options={[
              { value: '', label: strings.otherVenue },
              ...venues.map(({ id, venue, city }) => ({
                value: String(id),
                label: city && city !== venue ? `${venue}, ${city}` : venue
              }))
            ]}
          />
        )}
        <Field
          name="venueName"
          label={venues.length === 0 ? strings.venue : strings.venueName}
          error={errors.venueName}
          value={typed.venueName}
          autocomplete="off"
          maxLength={suggestionLengths.line}
        />
        <Field
          name="venueAddress"
          label={strings.venueAddress}
          error={errors.venueAddress}
          value={typed.venueAddress}
          autocomplete="off"
          maxLength={suggestionLengths.line}
        />
      </fieldset>
      <fieldset>
        <legend>{strings.more}</legend>
        <Field
          name="organizer"
          label={strings.organizer}
          error={errors.organizer}
          value={typed.organizer}
          autocomplete="off"
          maxLength={suggestionLengths.line}
        />
        <Field
          name="website"
          label={strings.website}
          hint={strings.websiteHint}
          error={errors.website}
          value={typed.website}
          inputMode="url"
          autocomplete="off"
          maxLength={2000}
        />
        <Field
          name="cost"
          label={strings.cost}
          hint={strings.costHint}
          error={errors.cost}
          value={typed.cost}
          autocomplete="off"
          maxLength={200}
        />
        {categories.length === 0 && errors.category === undefined ? null : (
          <Select
            name="category"
            label={strings.category}
            error={errors.category}
            value={typed.category}
            options={[
              { value: '', label: strings.noCategory },
              ...categories.map(({ id, name }) => ({ value: String(id), label: name }))
            ]}
          />
        )}
      </fieldset>
    </>
  )
}
