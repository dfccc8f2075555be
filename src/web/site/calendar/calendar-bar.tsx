import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getPath } from '../../server/paths.ts'
import { type CalendarStrings, calendarStrings } from '../../strings/calendar.ts'
import {
  type FilterChoices,
  type Filters,
  findTerm,
  getTermKey,
  isFiltered,
  noFilters,
  withFilters
} from './calendar-filter.ts'

export type View = 'month' | 'list' | 'day'

/** Bar above every view of the calendar: view tabs and filters. */
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
  /** Action of the form: this view. */
  path: string
  filters: Filters
  choices: FilterChoices
  /** Paths of the other views, without filters. */
  links: Record<View, string>
  past?: boolean
}) {
  const strings = calendarStrings[language]
  return (
    <div class="calendar-bar no-print">
      <search>
        <form action={path} method="get" aria-label={strings.filter}>
          <label class="visually-hidden" for="filter-search">
            {strings.search}
          </label>
          <input
            id="filter-search"
            class="filter-search"
            type="search"
            name="search"
            value={filters.search}
            placeholder={strings.searchHint}
            maxLength={200}
          />
          <button type="submit" class="filter-apply">
            {strings.apply}
          </button>
          <label class="visually-hidden" for="filter-category">
            {strings.category}
          </label>
          <Select
            id="filter-category"
            name="category"
            none={strings.allCategories}
            chosen={findTerm(choices.categories, filters.category) ?? filters.category}
            options={choices.categories.map(term => [getTermKey(term), term.name])}
          />
          {choices.more ? (
            <MoreFilters strings={strings} filters={filters} choices={choices} />
          ) : (
            <button type="submit" name="more" value="yes" class="quiet filter-more">
              {strings.moreFilters}
            </button>
          )}
          {past ? <input type="hidden" name="past" value="yes" /> : null}
          {filters.once ? <input type="hidden" name="once" value="yes" /> : null}
          {filters.series === '' ? null : <input type="hidden" name="series" value={filters.series} />}
        </form>
      </search>
      <nav aria-label={strings.views}>
        <ul class="views">
          {(['month', 'list', 'day'] as const).map(one => (
            <li key={one}>
              <a href={withFilters(links[one], filters)} {...(one === view ? { 'aria-current': 'page' as const } : {})}>
                {strings[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {isFiltered(filters) ? (
        <p class="filter-clear">
          <a href={withFilters(path, noFilters, past ? { past: 'yes' } : {})}>{strings.clear}</a>
        </p>
      ) : null}
    </div>
  )
}

function MoreFilters({
  strings,
  filters,
  choices
}: {
  strings: CalendarStrings
  filters: Filters
  choices: FilterChoices
}) {
  const labelled = (name: string, label: string, select: ComponentChildren) => (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      {select}
    </div>
  )
  return (
    <details class="filter-further" open>
      <summary>{strings.moreFilters}</summary>
      <input type="hidden" name="more" value="yes" />
      <div class="field-row">
        {labelled(
          'venue',
          strings.venue,
          <Select
            id="filter-venue"
            name="venue"
            none={strings.allVenues}
            chosen={filters.venue}
            options={choices.venues.map(({ id, venue }) => [String(id), venue])}
          />
        )}
        {labelled(
          'organizer',
          strings.organizer,
          <Select
            id="filter-organizer"
            name="organizer"
            none={strings.allOrganizers}
            chosen={filters.organizer}
            options={choices.organizers.map(({ id, organizer }) => [String(id), organizer])}
          />
        )}
        {labelled(
          'tag',
          strings.tag,
          <Select
            id="filter-tag"
            name="tag"
            none={strings.allTags}
            chosen={findTerm(choices.tags, filters.tag) ?? filters.tag}
            options={choices.tags.map(term => [getTermKey(term), term.name])}
          />
        )}
      </div>
      <div class="check">
        <input id="filter-featured" type="checkbox" name="featured" value="yes" checked={filters.featured} />
        <label for="filter-featured">{strings.featuredOnly}</label>
      </div>
      <button type="submit" class="small">
        {strings.apply}
      </button>
    </details>
  )
}

/** A selected value that is not among the options is kept as it is. */
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
  const key = typeof chosen === 'string' ? chosen : getTermKey(chosen)
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

/** Message for an unknown filter value, which is not the visitor's fault. */
export function UnknownFilter({ language, href }: { language: Language; href: string }) {
  const { title, text, action } = calendarStrings[language].unknown
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

/** Default path of each view: this month, the list, today. */
export function getViewLinks(language: Language, today: string): Record<View, string> {
  return {
    month: getPath('calendar', language),
    list: getPath('list', language),
    day: getPath('when', language, today)
  }
}
