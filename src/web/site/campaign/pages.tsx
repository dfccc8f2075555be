import type { Language } from '#platform/language.ts'
import type { ApiResponse } from '../../server/api-client.ts'
import { campaignPageStrings } from '../../strings/campaign-page.ts'

/** The cursor of the next page of a list of the API; undefined on the last page. */
export function findNextCursor(page: Pick<ApiResponse<unknown>, 'header'>): string | undefined {
  return /[?&]cursor=([\w-]+)[^>]*>; rel="next"/.exec(page.header('link'))?.[1]
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
  const strings = campaignPageStrings[language]
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
