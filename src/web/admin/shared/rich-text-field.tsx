import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Field } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import type { AdminContext } from './context.ts'

/** A text in one language, with a button that fetches the other's. */
export interface TextFieldProps {
  context: AdminContext
  language: Language
  /** What the other language has, where there is such a text. */
  other?: string | undefined
}

/** HTML with an editor on top where there are scripts; without them the HTML itself. */
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
            {/* A browser drops the first line break of a textarea. */}
            {value.startsWith('\n') ? `\n${value}` : value}
          </textarea>
        )}
      </Field>
      <CopyFrom {...text} name={name} />
    </div>
  )
}

/** Several lines of plain text. */
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

/** A line of plain text. */
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

/** Shown by the script that makes it work. */
function CopyFrom({ context, language, other, name }: TextFieldProps & { name: string }) {
  if (other === undefined || other === '') return null
  const strings = calendarAdminStrings[context.language].copyFrom
  return (
    <button type="button" class="link copy-from" data-copy-into={name} data-text={other} hidden>
      {language === 'en' ? strings.de : strings.en}
    </button>
  )
}

/** What was typed. Browsers send lines with two characters at their ends, and nobody typed these. */
export function getTextAreaField(context: AdminContext, name: string): string {
  return getFormField(context, name).replaceAll('\r\n', '\n')
}

/** HTML of nothing but paragraphs, as the lines that somebody types; anything else stays HTML. */
export function toPlainLines(html: string): string {
  const paragraphs = html.includes('<') ? html.split(/<\/p>\s*/) : [`<p>${html}`, '']
  if (paragraphs.pop() !== '' || !paragraphs.every(one => /^<p>[^<]*$/.test(one))) return html
  const text = paragraphs.map(one => decodeEntities(one.slice('<p>'.length))).join('\n\n')
  return text.includes('<') ? html : text
}

/** Lines as HTML: what has no tags is taken literally. */
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
