import type { ComponentChildren } from 'preact'

/** Supported attributes of an input. */
export interface InputProps {
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'search'
    | 'url'
    | 'tel'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'color'
    | 'file'
  value?: string
  autocomplete?: string
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'url' | 'tel' | 'search'
  required?: boolean
  maxLength?: number
  minLength?: number
  min?: string | number
  max?: string | number
  step?: string | number
  placeholder?: string
  pattern?: string
  list?: string
  accept?: string
  spellcheck?: boolean
  autocapitalize?: string
  disabled?: boolean
  readOnly?: boolean
  lang?: string
  autofocus?: boolean
}

/** A form field with label, hint and error, linked for screen readers. */
export function Field({
  name,
  label,
  hint,
  error,
  children,
  ...input
}: {
  name: string
  label: ComponentChildren
  hint?: ComponentChildren
  error?: string | undefined
  /** Replaces the default input: receives the ids that link label, hint and error. */
  children?: (tied: FieldAttributes) => ComponentChildren
} & InputProps) {
  const tied = getFieldAttributes(name, hint !== undefined, error)
  return (
    <div class="field">
      <label for={tied.id}>{label}</label>
      {children === undefined ? <input {...({ type: 'text', ...input, ...tied } as object)} /> : children(tied)}
      {hint === undefined ? null : (
        <p class="hint" id={`${tied.id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError of={tied.id} error={error} />
    </div>
  )
}

export interface SelectOption {
  value: string
  label: string
  lang?: string
}

export function Select({
  value,
  options,
  lang,
  disabled,
  ...field
}: {
  name: string
  label: ComponentChildren
  value: string
  options: SelectOption[]
  hint?: ComponentChildren
  error?: string | undefined
  lang?: string
  disabled?: boolean
}) {
  return (
    <Field {...field}>
      {tied => (
        <select {...tied} lang={lang} disabled={disabled}>
          {options.map(option => (
            <option key={option.value} value={option.value} selected={option.value === value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export interface FieldAttributes {
  id: string
  name: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

export function getFieldAttributes(name: string, hasHint: boolean, error: string | undefined): FieldAttributes {
  const id = `field-${name.replace(/[^a-z0-9]+/gi, '-')}`
  const described = [hasHint ? `${id}-hint` : '', error === undefined ? '' : `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    name,
    ...(described === '' ? {} : { 'aria-describedby': described }),
    ...(error === undefined ? {} : { 'aria-invalid': 'true' })
  }
}

export function FieldError({ of, error }: { of: string; error: string | undefined }) {
  return error === undefined ? null : (
    <p class="field-error" id={`${of}-error`}>
      {error}
    </p>
  )
}

export function Checkbox({
  name,
  label,
  hint,
  error,
  ...input
}: {
  name: string
  label: ComponentChildren
  hint?: ComponentChildren
  error?: string | undefined
  checked?: boolean
  required?: boolean
  value?: string
  disabled?: boolean
}) {
  // Several with one name differ in their values.
  const key = name.endsWith('[]') ? `${name}${input.value ?? ''}` : name
  const tied = { ...getFieldAttributes(key, hint !== undefined, error), name }
  return (
    <div class="check">
      <input type="checkbox" value="yes" {...input} {...tied} />
      <div>
        <label for={tied.id}>{label}</label>
        {hint === undefined ? null : (
          <p class="hint" id={`${tied.id}-hint`}>
            {hint}
          </p>
        )}
        <FieldError of={tied.id} error={error} />
      </div>
    </div>
  )
}

/** Error summary at the top of a form; each line links to its field. */
export function ErrorSummary({
  title,
  errors,
  general
}: {
  title: string
  /** By field name. */
  errors: Record<string, string>
  /** Errors that belong to no field. */
  general?: string | undefined
}) {
  const entries = Object.entries(errors)
  if (entries.length === 0 && general === undefined) return null
  return (
    <div class="notice bad" role="alert" tabIndex={-1} id="errors" data-focus autofocus>
      <p>
        <strong>{title}</strong>
      </p>
      {general === undefined ? null : <p>{general}</p>}
      {entries.length === 0 ? null : (
        <ul>
          {entries.map(([name, message]) => (
            <li key={name}>
              <a href={`#${getFieldAttributes(name, false, undefined).id}`}>{message}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
