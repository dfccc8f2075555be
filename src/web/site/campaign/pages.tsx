import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { ApiResponse } from '../../server/api-client.ts'

/** The cursor of the next page of a list of the API; undefined on the last page. */
export function findNextCursor(page: Pick<ApiResponse<unknown>, 'header'>): string | undefined {
  const next = page
    .header('link')
    .split(', ')
    .find(link => link.endsWith('; rel="next"'))
  return next === undefined ? undefined : /[?&]cursor=([\w-]+)/.exec(next)?.[1]
}

/** Links to the first and the next page of a list. */
export function Pages({
  language,
  first,
  next
}: {
  language: Language
  first: string | undefined
  next: string | undefined
}) {
  const strings = getMessages('campaign-page', language)
  if (first === undefined && next === undefined) return null
  return (
    <p class="actions">
      {first === undefined ? null : (
        <a class="button quiet" href={first}>
          {strings.newer}
        </a>
      )}
      {next === undefined ? null : (
        <a class="button quiet" href={next} rel="next">
          {strings.older}
        </a>
      )}
    </p>
  )
}
