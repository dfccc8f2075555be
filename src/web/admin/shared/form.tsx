import type { ComponentChildren } from 'preact'
import { formatLanguageName, type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import type { AdminContext } from './context.ts'

/** A form of the console, with its CSRF token. */
export function Form({
  context,
  action,
  children,
  upload = false,
  draft,
  ...rest
}: {
  context: AdminContext
  action: string
  children: ComponentChildren
  /** Contains file inputs. */
  upload?: boolean
  /** Name of what is edited: the browser keeps unsaved input under it, for this user. */
  draft?: string | undefined
  class?: string
  id?: string
}) {
  return (
    <form
      method="post"
      action={action}
      {...(upload ? { enctype: 'multipart/form-data' } : {})}
      data-draft={draft}
      {...rest}
    >
      <input type="hidden" name="_token" value={context.formToken} />
      {children}
    </form>
  )
}

/** A form that is a single button. */
export function ActionButton({
  context,
  action,
  label,
  fields = {},
  look = 'small quiet'
}: {
  context: AdminContext
  action: string
  label: ComponentChildren
  fields?: Record<string, string>
  look?: string
}) {
  return (
    <Form context={context} action={action} class="act">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={look}>
        {label}
      </button>
    </Form>
  )
}

/** Tabs for the languages of a text: links, so that they need no script. */
export function LanguageTabs({
  context,
  path,
  current,
  written
}: {
  context: AdminContext
  path: string
  current: Language
  /** Languages that have a text. */
  written: readonly Language[]
}) {
  const strings = getMessages('admin', context.language)
  const offered = languages.filter(language => context.site.languages.includes(language) || written.includes(language))
  return (
    <nav class="tabs" aria-label={strings.languageOfText}>
      <ul>
        {offered.map(language => (
          <li key={language}>
            <a
              href={withQuery(path, { lang: language })}
              {...(language === current ? { 'aria-current': 'page' as const } : {})}
            >
              <span lang={language}>{formatLanguageName(language, language)}</span>{' '}
              <span class="muted" aria-hidden="true">
                {written.includes(language) ? '●' : '○'}
              </span>
              <span class="visually-hidden">{written.includes(language) ? strings.written : strings.notWritten}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** API errors of a form: by field, and general ones. Rethrows errors that do not concern the form. */
export function toFormErrors(error: unknown): { fields: Record<string, string>; general: string | undefined } {
  if (!(error instanceof ApiError) || ![400, 409, 413, 415, 422, 429].includes(error.status)) throw error
  const hasFields = Object.keys(error.fields).length > 0
  return { fields: error.fields, general: hasFields ? undefined : error.message }
}

/** Another user has saved in the meantime (If-Match). */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412
}
