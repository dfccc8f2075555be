import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { placeWords } from '../text/places.ts'
import { Field } from '../ui/field.tsx'
import { field } from '../visit.ts'
import type { Desk } from './console.ts'

/** A text in one language, with a button that fetches the other's. */
export interface TextOf {
  desk: Desk
  language: Language
  /** What the other language has, where there is such a text. */
  other?: string | undefined
}

/** HTML with an editor on top where there are scripts; without them the HTML itself. */
export function RichField({
  name,
  label,
  value,
  error,
  hint,
  ...text
}: TextOf & {
  name: string
  label: string
  value: string
  error?: string | undefined
  hint?: ComponentChildren
}) {
  const words = placeWords[text.desk.language].rich
  return (
    <div class="with-copy">
      <Field name={name} label={label} error={error} {...(hint === undefined ? {} : { hint })}>
        {tied => (
          <textarea {...tied} rows={12} lang={text.language} data-rich={JSON.stringify(words)} maxLength={400_000}>
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
}: TextOf & { name: string; label: string; value: string; error?: string | undefined; hint?: string }) {
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
}: TextOf & {
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
function CopyFrom({ desk, language, other, name }: TextOf & { name: string }) {
  if (other === undefined || other === '') return null
  const words = placeWords[desk.language].copyFrom
  return (
    <button type="button" class="link copy-from" data-copy-into={name} data-text={other} hidden>
      {language === 'en' ? words.de : words.en}
    </button>
  )
}

/** What was typed. Browsers send lines with two characters at their ends, and nobody typed these. */
export function typedIn(desk: Desk, name: string): string {
  return field(desk, name).replaceAll('\r\n', '\n')
}

/** HTML of nothing but paragraphs, as the lines that somebody types; anything else stays HTML. */
export function linesOf(html: string): string {
  const paragraphs = html.includes('<') ? html.split(/<\/p>\s*/) : [`<p>${html}`, '']
  if (paragraphs.pop() !== '' || !paragraphs.every(one => /^<p>[^<]*$/.test(one))) return html
  const text = paragraphs.map(one => plain(one.slice('<p>'.length))).join('\n\n')
  return text.includes('<') ? html : text
}

/** Lines as HTML: what has no tags is taken literally. */
export function htmlOfLines(text: string): string {
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

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#039|nbsp);/g, entity => entities[entity] ?? entity)
}
