import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { pathTo } from '../../paths.ts'
import { type CalendarWords, calendarWords } from '../../text/calendar.ts'
import { type Choices, type Filters, isFiltered, keyOf, noFilters, termBy, withFilters } from './calendar-filter.ts'

export type View = 'month' | 'list' | 'day'

/** Above every view of the calendar: which view, and what it is narrowed by. */
export function CalendarBar({
  language,
  view,
  path,
  filters,
  choices,
  links,
  past = false
}: {
  language: Language
  view: View
  /** Where the form leads: this view. */
  path: string
  filters: Filters
  choices: Choices
  /** The other views, without filters. */
  links: Record<View, string>
  past?: boolean
}) {
  const words = calendarWords[language]
  return (
    <div class="calendar-bar no-print">
      <search>
        <form action={path} method="get" aria-label={words.filter}>
          <label class="visually-hidden" for="filter-search">
            {words.search}
          </label>
          <input
            id="filter-search"
            class="filter-search"
            type="search"
            name="search"
            value={filters.search}
            placeholder={words.searchHint}
            maxLength={200}
          />
          <button type="submit" class="filter-apply">
            {words.apply}
          </button>
          <label class="visually-hidden" for="filter-category">
            {words.category}
          </label>
          <Select
            id="filter-category"
            name="category"
            none={words.allCategories}
            chosen={termBy(choices.categories, filters.category) ?? filters.category}
            options={choices.categories.map(term => [keyOf(term), term.name])}
          />
          {choices.more ? (
            <MoreFilters words={words} filters={filters} choices={choices} />
          ) : (
            <button type="submit" name="more" value="yes" class="quiet filter-more">
              {words.moreFilters}
            </button>
          )}
          {past ? <input type="hidden" name="past" value="yes" /> : null}
        </form>
      </search>
      <nav aria-label={words.views}>
        <ul class="views">
          {(['month', 'list', 'day'] as const).map(one => (
            <li key={one}>
              <a href={withFilters(links[one], filters)} {...(one === view ? { 'aria-current': 'page' as const } : {})}>
                {words[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {isFiltered(filters) ? (
        <p class="filter-clear">
          <a href={withFilters(path, noFilters, past ? { past: 'yes' } : {})}>{words.clear}</a>
        </p>
      ) : null}
    </div>
  )
}

function MoreFilters({ words, filters, choices }: { words: CalendarWords; filters: Filters; choices: Choices }) {
  const labelled = (name: string, label: string, select: ComponentChildren) => (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      {select}
    </div>
  )
  return (
    <details class="filter-further" open>
      <summary>{words.moreFilters}</summary>
      <input type="hidden" name="more" value="yes" />
      <div class="field-row">
        {labelled(
          'venue',
          words.venue,
          <Select
            id="filter-venue"
            name="venue"
            none={words.allVenues}
            chosen={filters.venue}
            options={choices.venues.map(({ id, venue }) => [String(id), venue])}
          />
        )}
        {labelled(
          'organizer',
          words.organizer,
          <Select
            id="filter-organizer"
            name="organizer"
            none={words.allOrganizers}
            chosen={filters.organizer}
            options={choices.organizers.map(({ id, organizer }) => [String(id), organizer])}
          />
        )}
        {labelled(
          'tag',
          words.tag,
          <Select
            id="filter-tag"
            name="tag"
            none={words.allTags}
            chosen={termBy(choices.tags, filters.tag) ?? filters.tag}
            options={choices.tags.map(term => [keyOf(term), term.name])}
          />
        )}
      </div>
      <div class="check">
        <input id="filter-featured" type="checkbox" name="featured" value="yes" checked={filters.featured} />
        <label for="filter-featured">{words.featuredOnly}</label>
      </div>
      <button type="submit" class="small">
        {words.apply}
      </button>
    </details>
  )
}

/** What is chosen but not among the options is kept as it was written. */
function Select({
  id,
  name,
  none,
  chosen,
  options
}: {
  id: string
  name: string
  none: string
  chosen: string | { id: number; slug: string }
  options: [key: string, name: string][]
}) {
  const key = typeof chosen === 'string' ? chosen : keyOf(chosen)
  const isListed = key === '' || options.some(([one]) => one === key)
  return (
    <select id={id} name={name}>
      <option value="">{none}</option>
      {isListed ? null : (
        <option value={key} selected>
          {key}
        </option>
      )}
      {options.map(([value, label]) => (
        <option key={value} value={value} selected={value === key}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** A filter that names what is not there is no mistake of the reader. */
export function UnknownFilter({ language, href }: { language: Language; href: string }) {
  const { title, text, action } = calendarWords[language].unknown
  return (
    <div class="notice warn">
      <p>
        <strong>{title}</strong> {text}
      </p>
      <p>
        <a href={href}>{action}</a>
      </p>
    </div>
  )
}

/** Where each view leads when nothing else is known: this month, the list, today. */
export function plainLinks(language: Language, today: string): Record<View, string> {
  return {
    month: pathTo('calendar', language),
    list: pathTo('list', language),
    day: pathTo('when', language, today)
  }
}
