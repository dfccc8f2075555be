import type { ComponentChildren } from 'preact'
import { type Language, otherLanguage } from '#platform/language.ts'
import type { Query } from '../../api.ts'
import { dayIn } from '../../format.ts'
import type { Page } from '../../page.ts'
import { Subscribe } from '../../ui/subscribe.tsx'
import type { Visit } from '../../visit.ts'
import { CalendarBar, plainLinks, UnknownFilter, type View } from './calendar-bar.tsx'
import {
  type Choices,
  type Filters,
  feedOf,
  filterNames,
  filtersAbroad,
  isFiltered,
  noFilters,
  withFilters
} from './calendar-filter.ts'

/** What is the same in every view of the calendar: the filters above it, the feed below, and its other addresses. */
export function calendarView(
  visit: Visit,
  {
    view,
    title,
    description,
    pathIn,
    more = {},
    filters,
    choices,
    isUnknown,
    noindex = false,
    previous,
    next,
    links = {},
    head,
    body
  }: {
    view: View
    title: string
    description?: string | undefined
    pathIn(language: Language): string
    /** What its address says besides the filters. */
    more?: Query
    filters: Filters
    choices: Choices
    /** A filter names what is not there. */
    isUnknown: boolean
    noindex?: boolean
    previous: string | undefined
    next: string | undefined
    /** Where other views lead, if not to this month or today. */
    links?: Partial<Record<View, string>>
    head: ComponentChildren
    body: ComponentChildren
  }
): Page {
  const { language } = visit
  const path = pathIn(language)
  const abroad = otherLanguage(language)
  return {
    title,
    description,
    menu: 'calendar',
    canonical: withFilters(path, noFilters, more),
    twins: {
      [language]: withFilters(path, filters, more),
      [abroad]: withFilters(pathIn(abroad), filtersAbroad(filters, choices), more)
    },
    noindex: noindex || isFiltered(filters) || visit.query.more !== undefined,
    previous,
    next,
    feed: feedOf(language, isUnknown ? noFilters : filters),
    isEmbeddable: !isUnknown,
    body: (
      <div class={`${view}-page`}>
        <CalendarBar
          language={language}
          view={view}
          path={path}
          filters={filters}
          choices={choices}
          links={{ ...plainLinks(language, dayIn(visit.site.timezone, visit.now)), [view]: path, ...links }}
          past={more.past === 'yes'}
        />
        <div class="calendar-head">{head}</div>
        {isUnknown ? <UnknownFilter language={language} href={path} /> : null}
        {body}
        {isUnknown ? null : (
          <Subscribe
            language={language}
            origin={visit.origin}
            feed={feedOf(language, filters)}
            only={filterNames(language, filters, choices)}
          />
        )}
      </div>
    )
  }
}
