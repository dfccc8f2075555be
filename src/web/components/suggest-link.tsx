import { getMessages } from '#platform/messages/messages.ts'
import { withQuery } from '../server/api-client.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'

/** Leads to the form for suggestions, unless the site has switched it off. */
export function SuggestLink({ context, date }: { context: Pick<PageContext, 'language' | 'site'>; date?: string }) {
  const { language, site } = context
  if (!site.suggestions) return null
  const strings = getMessages('suggest', language)
  return (
    <p class="suggest-link no-print">
      {strings.linkLead}{' '}
      <a href={withQuery(getPath('suggest', language), { date })} rel="nofollow">
        {strings.link}
      </a>
    </p>
  )
}
