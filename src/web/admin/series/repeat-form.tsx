import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Field, Select } from '../../components/field.tsx'
import { formatShortDay, formatTime } from '../../format/format.ts'
import type { SeriesPreview } from '../../server/calendar-api.ts'
import { CheckboxGroup } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { monthChoices, type RepeatInput, repeatUnits, weekdays } from './repeat-input.ts'

/** Empty date fields that are offered; “Further dates” offers as many again. */
const emptyDates = 2
/** Dates that are listed below the form. */
const datesShown = 12
const repeats = 'repeat=day|week|month|year'

export interface RepeatFieldsProps {
  context: AdminContext
  repeat: RepeatInput
  /** The rule of the series in words, if the event belongs to one. */
  text?: string | undefined
  /** The dates of the rule in the form. */
  dates?: SeriesPreview | undefined
  errors: Record<string, string>
}

/** The part of the event editor about repetition. */
export function RepeatFields(props: RepeatFieldsProps) {
  const { context, repeat, text, errors } = props
  const strings = getMessages('series-admin', context.language).repeat
  return (
    <section class="card repeat">
      <h2>{strings.title}</h2>
      <input type="hidden" name="repeat_before" value={repeat.before} />
      <UnitFields strings={strings} repeat={repeat} text={text} errors={errors} />
      <div data-shown-for="repeat=week">
        <CheckboxGroup
          name="repeat_weekdays"
          legend={strings.weekdays}
          options={weekdays.map(value => ({ value, label: strings.weekdayNames[value] }))}
          chosen={repeat.weekdays}
          empty=""
          error={errors.repeat_weekdays}
        />
        <p class="hint">{strings.weekdaysHint}</p>
      </div>
      <div data-shown-for="repeat=month|year">
        <Select
          name="repeat_by"
          label={strings.by}
          value={repeat.by}
          options={monthChoices.map(value => ({ value, label: strings.bys[value] }))}
          hint={strings.byHint}
          error={errors.repeat_by}
        />
      </div>
      <div data-shown-for={repeats}>
        <div class="field-row">
          <Field
            name="repeat_until"
            type="date"
            label={strings.until}
            value={repeat.until}
            hint={strings.untilHint}
            error={errors.repeat_until}
          />
          <Field
            name="repeat_count"
            type="number"
            min={1}
            max={1000}
            label={strings.count}
            value={repeat.count}
            hint={strings.countHint}
            error={errors.repeat_count}
          />
        </div>
        <SingleDates strings={strings} repeat={repeat} errors={errors} />
        <p>
          <button type="submit" name="do" value="dates" class="quiet small" formnovalidate>
            {strings.showDates}
          </button>
        </p>
      </div>
      <DatesNotice {...props} />
    </section>
  )
}

type RepeatStrings = Messages<'series-admin'>['repeat']
type Part = Pick<RepeatFieldsProps, 'repeat' | 'errors'> & { strings: RepeatStrings }

function UnitFields({ strings, repeat, text, errors }: Part & { text: string | undefined }) {
  const isKept = repeat.before === 'keep' && text !== undefined
  const options = [
    ...(isKept ? [{ value: 'keep', label: strings.keep({ text }) }] : []),
    { value: '', label: strings.units.never },
    ...repeatUnits.map(value => ({ value, label: strings.units[value] }))
  ]
  const hint = isKept ? strings.keepHint : text === undefined ? undefined : strings.dissolveHint
  return (
    <div class="field-row">
      <Select
        name="repeat"
        label={strings.unit}
        value={repeat.unit}
        options={options}
        error={errors.repeat}
        {...(hint === undefined ? {} : { hint })}
      />
      <div data-shown-for={repeats}>
        <Field
          name="repeat_every"
          type="number"
          min={1}
          max={99}
          label={strings.every}
          value={repeat.every}
          hint={strings.everyHint}
          error={errors.repeat_every}
        />
      </div>
    </div>
  )
}

/** Dates to leave out or to add, as date fields: a button offers further ones without scripts. */
function SingleDates({ strings, repeat, errors }: Part) {
  const kinds = ['except', 'also'] as const
  const isOpen = kinds.some(kind => repeat[kind].length > 0 || errors[`repeat_${kind}`] !== undefined)
  return (
    <details class="new-one" open={isOpen}>
      <summary>{strings.singleDates}</summary>
      {kinds.map(kind => (
        <DateList
          key={kind}
          name={`repeat_${kind}`}
          label={strings[kind]}
          strings={strings}
          dates={repeat[kind]}
          error={errors[`repeat_${kind}`]}
        />
      ))}
      <button type="submit" name="do" value="dates" class="quiet small" formnovalidate>
        {strings.moreDates}
      </button>
    </details>
  )
}

function DateList({
  name,
  label,
  strings,
  dates,
  error
}: {
  name: string
  label: string
  strings: RepeatStrings
  dates: string[]
  error: string | undefined
}) {
  const id = `field-${name.replace('_', '-')}`
  const fields = [...dates, ...Array<string>(emptyDates).fill('')]
  return (
    <fieldset class="choices" id={id} {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}>
      <legend>{label}</legend>
      <div class="date-list">
        {fields.map((date, index) => (
          <input
            key={index}
            type="date"
            name={`${name}[]`}
            value={date}
            aria-label={strings.dateNumber({ label, number: index + 1 })}
          />
        ))}
      </div>
      {error === undefined ? null : (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The rule in words and its first dates. */
function DatesNotice({ context, dates }: RepeatFieldsProps) {
  const { language } = context
  const strings = getMessages('series-admin', language).repeat
  if (dates === undefined) return null
  const shown = dates.dates.slice(0, datesShown)
  const left = dates.total === null ? 0 : dates.total - shown.length
  return (
    <div class="notice repeat-dates" id="dates" tabIndex={-1} data-focus data-unsaved autofocus>
      <p>
        <strong>{dates.text}</strong>
      </p>
      <p>{dates.total === null ? strings.endless : strings.total({ count: dates.total })}</p>
      <ol class="plain-list">
        {shown.map(date => (
          <li key={date}>
            <time dateTime={date.replace(' ', 'T')}>
              {formatShortDay(language, date)} {date.slice(0, 4)}
              {date.endsWith('00:00:00') ? '' : `, ${formatTime(date)}`}
            </time>
          </li>
        ))}
      </ol>
      {left > 0 ? <p>{strings.moreInAll({ count: left })}</p> : dates.total === null ? <p>…</p> : null}
    </div>
  )
}
