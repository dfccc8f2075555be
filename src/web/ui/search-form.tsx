import type { Language } from '#platform/language.ts'
import { pathTo } from '../paths.ts'
import { frameWords } from '../text/frame.ts'

/** Looks for events in the list view. */
export function SearchForm({ language, value = '' }: { language: Language; value?: string }) {
  const words = frameWords[language]
  return (
    <search>
      <form class="search" action={pathTo('list', language)} method="get">
        <label class="visually-hidden" for="search-events">
          {words.searchEvents}
        </label>
        <input
          id="search-events"
          type="search"
          name="search"
          value={value}
          placeholder={words.searchEvents}
          maxLength={200}
        />
        <button type="submit" class="button">
          {words.search}
        </button>
      </form>
    </search>
  )
}
