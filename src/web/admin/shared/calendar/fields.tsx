import type { ComponentChildren } from 'preact'
import { formatLanguageName, isLanguage, type Language, languages } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Field, getFieldAttributes, Select } from '../../../components/field.tsx'
import { formatTableDay } from '../../../format/format.ts'
import { ApiError } from '../../../server/api-client.ts'
import type { AdminContext, AdminPage } from '../context.ts'
import { Form } from '../form.tsx'
import { Filters } from '../table.tsx'

/** Languages that have a text: as badges, with words for screen readers. */
export function LanguageMarks({ context, written }: { context: AdminContext; written: readonly Language[] }) {
  const strings = getMessages('calendar-admin', context.language).written
  const offered = languages.filter(language => context.site.languages.includes(language) || written.includes(language))
  return (
    <span class="language-marks">
      {offered.map(language => {
        const isThere = written.includes(language)
        return (
          <span key={language} class={isThere ? 'there' : 'missing'}>
            <span aria-hidden="true">
              {language} {isThere ? '●' : '○'}
            </span>
            <span class="visually-hidden">
              {(isThere ? strings.yes : strings.no)({ language: formatLanguageName(language, context.language) })}{' '}
            </span>
          </span>
        )
      })}
    </span>
  )
}

/** Short date for tables. */
export function ShortDate({ context, moment }: { context: AdminContext; moment: string }) {
  return <time dateTime={moment.replace(' ', 'T')}>{formatTableDay(context.language, moment)}</time>
}

/** Language of the edited text. */
export function getTextLanguage({ query, site }: AdminContext): Language {
  return isLanguage(query.lang) ? query.lang : site.defaultLanguage
}

/** A group of checkboxes. */
export function CheckboxGroup({
  name,
  legend,
  options,
  chosen,
  empty,
  error,
  isTitled = false
}: {
  name: string
  legend: string
  /** A heading already shows the legend's text. */
  isTitled?: boolean
  options: { value: string; label: string; depth?: number }[]
  chosen: readonly string[]
  empty: string
  error?: string | undefined
}) {
  const { id } = getFieldAttributes(name, false, error)
  return (
    <fieldset class="choices" id={id} {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}>
      <legend class={isTitled ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.length === 0 ? <p class="hint">{empty}</p> : null}
      <div class="choices-list">
        {options.map(({ value, label, depth = 0 }) => (
          <label key={value} class={depth === 0 ? 'choice' : 'choice choice-below'}>
            <input type="checkbox" name={`${name}[]`} value={value} checked={chosen.includes(value)} />
            <span>{label}</span>
          </label>
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

/** Confirmation page before permanent deletion. */
export function buildConfirmDeletePage(
  context: AdminContext,
  about: {
    title: string
    menu: string
    text: ComponentChildren
    action: string
    fields?: Record<string, string>
    yes: string
    back: string
  }
): AdminPage {
  return {
    title: about.title,
    menu: about.menu,
    body: (
      <div class="card narrow">
        {about.text}
        <Form context={context} action={about.action}>
          {Object.entries(about.fields ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <p class="actions">
            <button type="submit" class="danger">
              {about.yes}
            </button>
            <a class="button quiet" href={about.back}>
              {getMessages('calendar-admin', context.language).keep}
            </a>
          </p>
        </Form>
      </div>
    )
  }
}

/**
 * Maps calendar API errors to form fields. API messages begin with the parameter's name, which means nothing to users,
 * so it is replaced by the field's label.
 */
export function toFieldErrors(
  context: AdminContext,
  error: unknown,
  labels: Record<string, string>
): { fields: Record<string, string>; general: string | undefined } {
  if (!(error instanceof ApiError) || ![400, 409, 413, 415, 422].includes(error.status)) throw error
  const isMissing = error.code === 'rest_missing_callback_param'
  const fields: Record<string, string> = {}
  let general: string | undefined
  for (const [name, message] of Object.entries(error.fields)) {
    const label = labels[name]
    if (label === undefined) general = message
    else if (isMissing) fields[name] = `${label}: ${getMessages('admin', context.language).required}`
    else fields[name] = message.startsWith(`${name} `) ? label + message.slice(name.length) : message
  }
  return { fields, general: Object.keys(error.fields).length === 0 ? error.message : general }
}

type ViewStrings = Messages<'calendar-admin'>['shows']

/** Search form of a list. */
export function SearchFilters({
  context,
  show,
  offered
}: {
  context: AdminContext
  show: keyof ViewStrings
  offered: readonly (keyof ViewStrings)[]
}) {
  const strings = getMessages('calendar-admin', context.language)
  return (
    <Filters context={context}>
      <Field name="search" type="search" label={strings.search} value={context.query.search ?? ''} maxLength={200} />
      <Select
        name="show"
        label={strings.show}
        value={show}
        options={offered.map(value => ({ value, label: strings.shows[value] }))}
      />
    </Filters>
  )
}
