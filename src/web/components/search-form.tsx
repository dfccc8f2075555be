import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getPath } from '../server/paths.ts'

/** Searches events in the list view. */
export function SearchForm({ language, value = '' }: { language: Language; value?: string }) {
  const strings = getMessages('layout', language)
  return (
    <search>
      <form class="search" action={getPath('list', language)} method="get">
        <label class="visually-hidden" for="search-events">
          {strings.searchEvents}
        </label>
        <input
          id="search-events"
          type="search"
          name="search"
          value={value}
          placeholder={strings.searchEvents}
          maxLength={200}
        />
        <button type="submit" class="button">
          {strings.search}
        </button>
      </form>
    </search>
  )
}
