import { getMessages } from '#platform/messages/messages.ts'
import { EventLines } from '../../components/event-lines.tsx'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { type CalendarEvent, getHueClass, type Term } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { type Filters, getTermKey, isFiltered, noFilters, withFilters } from './calendar-filter.ts'
import { hasDates } from './date-filter.ts'
import { findNearestTerms } from './nearest-terms.ts'

/** A list without events: what else the visitor can look for, and what is next. */
export function EmptyList({
  context,
  filters,
  past,
  categories,
  next
}: {
  context: PageContext
  filters: Filters
  past: boolean
  categories: Term[]
  /** Events without these filters. */
  next: CalendarEvent[]
}) {
  const { language } = context
  const strings = getMessages('calendar', language)
  const path = getPath('list', language)
  if (!isFiltered(filters)) {
    return (
      <div class="empty">
        <p>{past ? strings.emptyPast : strings.emptyList}</p>
        <SuggestLink context={context} />
      </div>
    )
  }
  const { search } = filters
  const near = search === '' ? [] : findNearestTerms(categories, search)
  const hasOthers = search !== '' && isFiltered({ ...filters, search: '' })
  return (
    <>
      <div class="empty">
        <p>
          <strong>
            {search === ''
              ? strings.emptyFiltered
              : past
                ? strings.noResultPast({ search })
                : strings.noResult({ search })}
          </strong>
          {hasOthers ? ` ${strings.emptyFiltered}` : ''}
        </p>
        {near.length === 0 ? null : (
          <>
            <p>{strings.nearest}</p>
            <ul class="chips">
              {near.map(term => (
                <li key={term.id}>
                  <a
                    class={`chip ${getHueClass(term.id)}`}
                    href={withFilters(path, { ...noFilters, category: getTermKey(term) })}
                  >
                    <span class="dot" />
                    {term.name} <span class="count">{term.count}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
        <p class="actions">
          {hasOthers ? (
            <a class="button quiet" href={withFilters(path, { ...noFilters, search })}>
              {strings.searchOnly({ search })}
            </a>
          ) : null}
          {past || hasDates(filters) ? null : (
            <a class="button quiet" href={withFilters(path, filters, { past: 'yes' })}>
              {strings.searchPast}
            </a>
          )}
          <a class="button quiet" href={path}>
            {strings.allEvents}
          </a>
        </p>
        <SuggestLink context={context} />
      </div>
      {next.length === 0 ? null : (
        <section>
          <h2>{strings.upcoming}</h2>
          <EventLines context={context} events={next} />
        </section>
      )}
    </>
  )
}
