import type { ComponentChildren } from 'preact'
import { formatLanguageName, getLanguageValues, getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, Field, type InputProps, Select, type SelectOption } from '../../../components/field.tsx'
import { toPlainText } from '../../../format/plain-text.ts'
import type { PageContext } from '../../../server/context.ts'
import type { FieldList, FieldName, FormField } from './field-definition.ts'
import { getKind } from './field-kinds.ts'
import { getString } from './form-input.ts'

/** Attributes that depend on more than the definition. */
export interface FieldOverrides extends Omit<InputProps, 'type'> {
  label?: string
  hint?: ComponentChildren
  /** Of a select. */
  options?: SelectOption[]
}

export interface FormFieldsProps<Fields extends FieldList> {
  context: Pick<PageContext, 'language'>
  /** Strings that the definitions name. */
  strings: object
  fields: Fields
  input: Readonly<Record<FieldName<Fields>, string>>
  errors: Readonly<Record<string, string>>
  /** Language of the translated fields. */
  language?: Language
  /** Texts of the other language, if there are any. */
  other?: Readonly<Record<string, string>> | undefined
  overrides?: Partial<Record<FieldName<Fields>, FieldOverrides>>
  rowClass?: string
  /** Of all inputs. */
  autocomplete?: 'off'
}

/** Shows fields as their definitions say. */
export function FormFields<const Fields extends FieldList>({
  fields,
  rowClass = 'field-row',
  ...form
}: FormFieldsProps<Fields>) {
  return (
    <>
      {fields.map(entry =>
        'name' in entry ? (
          <OneField key={entry.name} form={form} field={entry} />
        ) : (
          <div key={entry[0]?.name} class={rowClass}>
            {entry.map(field => (
              <OneField key={field.name} form={form} field={field} />
            ))}
          </div>
        )
      )}
    </>
  )
}

type Form = Omit<FormFieldsProps<FieldList>, 'fields' | 'rowClass'>

function OneField({ form, field }: { form: Form; field: FormField }) {
  if (field.isTranslated !== true) return <Control form={form} field={field} />
  return (
    <div class="with-copy">
      <Control form={form} field={field} />
      {/* Slugs of two languages differ. */}
      {field.kind === 'slug' ? null : (
        <>
          <OtherText form={form} field={field} />
          <CopyButton form={form} name={field.name} />
        </>
      )}
    </div>
  )
}

function Control({
  form: { context, strings, input, errors, language, overrides, autocomplete },
  field
}: {
  form: Form
  field: FormField
}) {
  const { name, kind, label, hint, path, initial, emptyValue, isTranslated, rows = 3, ...attributes } = field
  const { label: otherLabel, hint: otherHint, options = [], value, ...others } = overrides?.[name] ?? {}
  const text = value ?? input[name] ?? ''
  const shownHint = otherHint ?? (hint === undefined ? undefined : getString(strings, hint))
  const common = {
    name,
    label: otherLabel ?? getString(strings, label),
    error: errors[name],
    ...(shownHint === undefined ? {} : { hint: shownHint })
  }
  const own = { ...attributes, ...others, ...(isTranslated === true ? { lang: language } : {}) }
  switch (kind) {
    case 'checkbox':
      return <Checkbox {...common} checked={text !== ''} />
    case 'select':
      return <Select {...common} value={text} options={options} disabled={own.disabled === true} />
    case 'lines':
    case 'paragraphs':
    case 'html':
      return (
        <Field {...common}>
          {tied => (
            <textarea
              {...tied}
              {...(own as object)}
              rows={rows}
              {...(kind === 'html'
                ? { 'data-rich': JSON.stringify(getMessages('calendar-admin', context.language).rich) }
                : {})}
            >
              {/* Browsers drop the first line break of a textarea. */}
              {text.startsWith('\n') ? `\n${text}` : text}
            </textarea>
          )}
        </Field>
      )
    case 'file':
      return <Field {...common} type="file" {...(own as object)} />
    case 'choice':
    case 'image':
      throw new Error(`The page has to show the field ${name} itself.`)
    default:
      return <Field {...common} value={text} {...({ autocomplete, ...getKind(kind).attributes, ...own } as object)} />
  }
}

/** The saved text of the other language, beside the field on wide screens. */
function OtherText({
  form: { strings, language, other },
  field: { name, label, kind }
}: {
  form: Form
  field: FormField
}) {
  const text = other?.[name] ?? ''
  if (text === '' || language === undefined) return null
  const otherLanguage = getOtherLanguage(language)
  return (
    <div class="other-text">
      <p class="hint">
        {getString(strings, label)} (
        <span lang={otherLanguage}>{formatLanguageName(otherLanguage, otherLanguage)}</span>)
      </p>
      <p lang={otherLanguage} dir="auto">
        {kind === 'html' ? toPlainText(text) : text}
      </p>
    </div>
  )
}

/** Copies the other language's text. Shown by the script that implements it. */
function CopyButton({ form: { context, language, other }, name }: { form: Form; name: string }) {
  const text = other?.[name] ?? ''
  if (text === '' || language === undefined) return null
  const { copyFrom } = getMessages('calendar-admin', context.language)
  return (
    <button type="button" class="link copy-from" data-copy-into={name} data-text={text} hidden>
      {copyFrom(getLanguageValues(getOtherLanguage(language), context.language))}
    </button>
  )
}
