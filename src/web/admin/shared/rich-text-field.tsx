import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Field } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import type { AdminContext } from './context.ts'

/** A text in one language, with a button that copies the other language's text. */
export interface TextFieldProps {
  context: AdminContext
  language: Language
  /** Text of the other language, if there is one. */
  other?: string | undefined
}

/** HTML with a rich-text editor if scripts run; otherwise a textarea with the HTML. */
export function RichTextField({
  name,
  label,
  value,
  error,
  hint,
  ...text
}: TextFieldProps & {
  name: string
  label: string
  value: string
  error?: string | undefined
  hint?: ComponentChildren
}) {
  const strings = calendarAdminStrings[text.context.language].rich
  return (
    <div class="with-copy">
      <Field name={name} label={label} error={error} {...(hint === undefined ? {} : { hint })}>
        {tied => (
          <textarea {...tied} rows={12} lang={text.language} data-rich={JSON.stringify(strings)} maxLength={400_000}>
            {/* Browsers drop the first line break of a textarea. */}
            {value.startsWith('\n') ? `\n${value}` : value}
          </textarea>
        )}
      </Field>
      <CopyFrom {...text} name={name} />
    </div>
  )
}

export function LinesField({
  name,
  label,
  value,
  error,
  hint,
  ...text
}: TextFieldProps & { name: string; label: string; value: string; error?: string | undefined; hint?: string }) {
  return (
    <div class="with-copy">
      <Field name={name} label={label} error={error} {...(hint === undefined ? {} : { hint })}>
        {tied => (
          <textarea {...tied} rows={3} lang={text.language} maxLength={20_000}>
            {value.startsWith('\n') ? `\n${value}` : value}
          </textarea>
        )}
      </Field>
      <CopyFrom {...text} name={name} />
    </div>
  )
}

export function LineField({
  name,
  label,
  value,
  error,
  hint,
  required = false,
  maxLength = 500,
  ...text
}: TextFieldProps & {
  name: string
  label: string
  value: string
  error?: string | undefined
  hint?: string
  required?: boolean
  maxLength?: number
}) {
  return (
    <div class="with-copy">
      <Field
        name={name}
        label={label}
        value={value}
        error={error}
        required={required}
        maxLength={maxLength}
        lang={text.language}
        {...(hint === undefined ? {} : { hint })}
      />
      <CopyFrom {...text} name={name} />
    </div>
  )
}

/** Shown by the island that implements it. */
function CopyFrom({ context, language, other, name }: TextFieldProps & { name: string }) {
  if (other === undefined || other === '') return null
  const strings = calendarAdminStrings[context.language].copyFrom
  return (
    <button type="button" class="link copy-from" data-copy-into={name} data-text={other} hidden>
      {language === 'en' ? strings.de : strings.en}
    </button>
  )
}

/** Value of a textarea. Browsers send line breaks as CRLF, which is normalized. */
export function getTextAreaField(context: AdminContext, name: string): string {
  return getFormField(context, name).replaceAll('\r\n', '\n')
}

/** Converts HTML of only paragraphs to plain lines; other HTML stays as it is. */
export function toPlainLines(html: string): string {
  const paragraphs = html.includes('<') ? html.split(/<\/p>\s*/) : [`<p>${html}`, '']
  if (paragraphs.pop() !== '' || !paragraphs.every(one => /^<p>[^<]*$/.test(one))) return html
  const text = paragraphs.map(one => decodeEntities(one.slice('<p>'.length))).join('\n\n')
  return text.includes('<') ? html : text
}

/** Converts lines to HTML: text without tags is escaped. */
export function toHtml(text: string): string {
  return text.includes('<') ? text : text.replaceAll('&', '&amp;')
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#039;': "'",
  '&nbsp;': '\u00a0'
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#039|nbsp);/g, entity => entities[entity] ?? entity)
}
