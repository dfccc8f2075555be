import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Subscribe } from '../../components/subscribe.tsx'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import type { Query } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages } from '../../server/paths.ts'
import { listActiveFilters } from './active-filters.ts'
import { CalendarBar, getViewLinks, UnknownFilter, type View } from './calendar-bar.tsx'
import {
  type FilterChoices,
  type Filters,
  getFeedPath,
  isFiltered,
  noFilters,
  toAlternateFilters,
  withFilters
} from './calendar-filter.ts'

/** Common parts of every calendar view: filters, feed and alternate URLs. */
export function buildCalendarPage(
  context: PageContext,
  {
    view,
    title,
    description,
    pathIn,
    more = {},
    filters,
    choices,
    isUnknown,
    isEmpty = false,
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
    /** Query parameters besides the filters. */
    more?: Query
    filters: Filters
    choices: FilterChoices
    /** A filter names something that does not exist. */
    isUnknown: boolean
    /** The body says that there are no events, and how to suggest one. */
    isEmpty?: boolean
    noindex?: boolean
    previous: string | undefined
    next: string | undefined
    /** Paths of other views, if not this month or today. */
    links?: Partial<Record<View, string>>
    head: ComponentChildren
    body: ComponentChildren
  }
): Page {
  const { language, site } = context
  const path = pathIn(language)
  const active = listActiveFilters({ language, currency: site.currency }, filters, choices)
  const today = toLocalDay(site.timezone, context.now)
  return {
    title,
    description,
    menu: 'calendar',
    canonical: withFilters(path, noFilters, more),
    alternates: buildForLanguages(one =>
      one === language
        ? withFilters(path, filters, more)
        : withFilters(pathIn(one), toAlternateFilters(filters, choices), more)
    ),
    noindex: noindex || isFiltered(filters) || filters.once || context.query.more !== undefined,
    previous,
    next,
    icalFeed: getFeedPath(language, isUnknown ? noFilters : filters),
    isEmbeddable: !isUnknown,
    styles: 'calendar',
    body: (
      <div class={`${view}-page`}>
        <CalendarBar
          context={context}
          view={view}
          path={path}
          filters={filters}
          active={active}
          choices={choices}
          links={{ ...getViewLinks(language, today, site.weekStart), [view]: path, ...links }}
          past={more.past === 'yes'}
        />
        <div class="calendar-head">{head}</div>
        {isUnknown ? <UnknownFilter language={language} href={path} /> : null}
        {body}
        {isUnknown ? null : (
          <Subscribe
            language={language}
            origin={context.origin}
            feed={getFeedPath(language, filters)}
            only={active.filter(({ isDate }) => !isDate).map(({ name }) => name)}
            isCopied={false}
          />
        )}
        {isEmpty ? null : <SuggestLink context={context} />}
      </div>
    )
  }
}
