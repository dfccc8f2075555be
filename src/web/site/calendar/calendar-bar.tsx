import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getDirAttribute } from '../../format/direction.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import type { ActiveFilter } from './active-filters.ts'
import { type FilterChoices, type Filters, noFilters, omitDates, withFilters } from './calendar-filter.ts'
import { hasDates, periods } from './date-filter.ts'
import { toWeek, type WeekStart } from './dates.ts'
import { FilterForm } from './filter-form.tsx'

const views = ['month', 'week', 'list', 'day'] as const
export type View = (typeof views)[number]

/** Bar above every view of the calendar: filters, view tabs, and the filters in use. */
export function CalendarBar({
  context,
  view,
  path,
  filters,
  active,
  choices,
  links,
  past
}: {
  context: Pick<PageContext, 'language' | 'site'>
  view: View
  /** This view. */
  path: string
  filters: Filters
  active: ActiveFilter[]
  choices: FilterChoices
  /** Paths of the views, without filters. */
  links: Record<View, string>
  past: boolean
}) {
  const strings = getMessages('calendar', context.language)
  return (
    <div class="calendar-bar no-print">
      <FilterForm
        context={context}
        path={path}
        filters={filters}
        choices={choices}
        hasDates={view === 'list'}
        past={past}
      />
      <nav aria-label={strings.views}>
        <ul class="views">
          {views.map(one => (
            <li key={one}>
              <a
                href={withFilters(links[one], one === 'list' ? filters : omitDates(filters))}
                {...(one === view ? { 'aria-current': 'page' as const } : {})}
              >
                {strings[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <FilterChips language={context.language} path={path} filters={filters} active={active} past={past} />
    </div>
  )
}

/** The filters in use, each of which a link removes, and links to common ones. */
function FilterChips({
  language,
  path,
  filters,
  active,
  past
}: {
  language: Language
  path: string
  filters: Filters
  active: ActiveFilter[]
  past: boolean
}) {
  const strings = getMessages('calendar', language)
  const more = past ? { past: 'yes' } : {}
  const list = getPath('list', language)
  return (
    <ul class="chips filter-chips" aria-label={strings.filters}>
      {active.map(({ name, without }) => (
        <li key={name}>
          <a class="chip chosen" href={withFilters(path, without, more)} rel="nofollow">
            <span class="visually-hidden">{strings.removeFilter}</span> <span dir={getDirAttribute(name)}>{name}</span>{' '}
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {hasDates(filters)
        ? null
        : periods.map(when => (
            <li key={when}>
              <a class="chip" href={withFilters(list, { ...filters, when })} rel="nofollow">
                {strings.periods[when]}
              </a>
            </li>
          ))}
      {filters.price === '' ? (
        <li>
          <a class="chip" href={withFilters(path, { ...filters, price: '0' }, more)} rel="nofollow">
            {strings.free}
          </a>
        </li>
      ) : null}
      {active.length > 0 ? (
        <li>
          <a class="filter-clear" href={withFilters(path, noFilters, more)}>
            {strings.clear}
          </a>
        </li>
      ) : null}
    </ul>
  )
}

/** Message for an unknown filter value, which is not the visitor's fault. */
export function UnknownFilter({ language, href }: { language: Language; href: string }) {
  const { title, text, action } = getMessages('calendar', language).unknown
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

/** Default path of each view: this month, this week, the list, today. */
export function getViewLinks(language: Language, today: string, weekStart: WeekStart): Record<View, string> {
  return {
    month: getPath('calendar', language),
    week: getPath('when', language, toWeek(today, weekStart)),
    list: getPath('list', language),
    day: getPath('when', language, today)
  }
}
