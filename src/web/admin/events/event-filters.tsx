import { getMessages } from '#platform/messages/messages.ts'
import { Field, Select } from '../../components/field.tsx'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { Filters } from '../shared/table.tsx'
import { sortAsTree } from './event-choices.ts'
import {
  type FilterName,
  filterStatuses,
  getAuthorName,
  getFilter,
  getView,
  type ListChoices,
  listActiveFilters,
  listViews
} from './event-filter.ts'

/** Words and view at once, the other filters behind a disclosure; each active filter can be removed by itself. */
export function EventFilters({ context, choices }: { context: AdminContext; choices: ListChoices }) {
  const strings = getMessages('event-admin', context.language)
  const { filters } = getMessages('daily-work', context.language)
  return (
    <>
      <Filters context={context}>
        <Field
          name="search"
          type="search"
          label={strings.list.search}
          value={getFilter(context, 'search')}
          maxLength={200}
        />
        <Select
          name="show"
          label={strings.list.show}
          value={getView(context)}
          options={listViews(context).map(value => ({ value, label: strings.shows[value] }))}
        />
        <details class="more-filters">
          <summary>{filters.more}</summary>
          <div class="more-fields">
            <MoreFilters context={context} choices={choices} />
          </div>
        </details>
      </Filters>
      <ActiveFilters context={context} choices={choices} />
    </>
  )
}

function MoreFilters({ context, choices }: { context: AdminContext; choices: ListChoices }) {
  const { list, statuses } = getMessages('event-admin', context.language)
  const { filters } = getMessages('daily-work', context.language)
  const select = (name: FilterName, label: string, options: { value: string | number; label: string }[]) => (
    <Select
      name={name}
      label={label}
      value={getFilter(context, name)}
      options={[
        { value: '', label: getMessages('admin', context.language).all },
        ...options.map(option => ({ ...option, value: String(option.value) }))
      ]}
    />
  )
  const tree = sortAsTree(choices.categories)
  const series = getMessages('series-admin', context.language).list
  return (
    <>
      <Field name="from" type="date" label={filters.from} value={getFilter(context, 'from')} />
      <Field name="to" type="date" label={filters.to} value={getFilter(context, 'to')} />
      {select(
        'venue',
        filters.venue,
        choices.venues.map(({ id, venue }) => ({ value: id, label: venue }))
      )}
      {select(
        'organizer',
        filters.organizer,
        choices.organizers.map(({ id, organizer }) => ({ value: id, label: organizer }))
      )}
      {select(
        'category',
        list.category,
        tree.map(({ term, depth }) => ({ value: term.id, label: `${'– '.repeat(depth)}${term.name}` }))
      )}
      {select(
        'tag',
        filters.tag,
        choices.tags.map(({ id, name }) => ({ value: id, label: name }))
      )}
      <Select
        name="series"
        label={series.series}
        value={getFilter(context, 'series')}
        options={[
          { value: '', label: series.allDates },
          { value: 'once', label: series.once }
        ]}
      />
      {context.hasRole('editor') ? (
        <>
          {select(
            'status',
            filters.status,
            filterStatuses.map(status => ({ value: status, label: statuses[status] }))
          )}
          {select(
            'author',
            filters.author,
            choices.authors.map(author => ({ value: author.id, label: getAuthorName(context, author) }))
          )}
        </>
      ) : null}
    </>
  )
}

function ActiveFilters({ context, choices }: { context: AdminContext; choices: ListChoices }) {
  const { filters } = getMessages('daily-work', context.language)
  const active = listActiveFilters(context, choices)
  if (active.length === 0) return null
  return (
    <ul class="active-filters" aria-label={filters.active}>
      {active.map(({ name, label, value }) => (
        <li key={name}>
          <a
            class="chip"
            href={withQuery(context.path, { ...context.query, [name]: undefined, page: undefined })}
            aria-label={filters.remove({ filter: `${label}: ${value}` })}
          >
            {label}: <strong>{value}</strong> <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
