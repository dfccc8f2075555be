import type { ComponentChildren } from 'preact'
import { getMessages } from '#platform/messages/messages.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from './context.ts'
import { getCsvPath } from './list-query.ts'

export interface Column<Row> {
  /** Value of the `sort` parameter, if the column is sortable. */
  sort?: string
  label: ComponentChildren
  cell(row: Row): ComponentChildren
  /** Right-aligned. */
  isNumber?: boolean
  /** Row header for screen readers. */
  isHead?: boolean
  /** Shows the label beside the value where rows are cards; numbers always do. */
  isNamed?: boolean
}

/** Table sorted and paged through its URL. On a phone each row is a card. */
export function Table<Row>({
  context,
  caption,
  columns,
  rows,
  empty
}: {
  context: AdminContext
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  /** Shown if there are no rows. */
  empty: ComponentChildren
}) {
  if (rows.length === 0) return <div class="empty">{empty}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="table-wrap" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Head key={index} context={context} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column, at) =>
                column.isHead === true ? (
                  <th key={at} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={at}
                    class={column.isNumber === true ? 'number' : undefined}
                    data-label={getCardLabel(column)}
                  >
                    {column.cell(row)}
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function getCardLabel<Row>({ label, isNamed, isNumber }: Column<Row>): string | undefined {
  return (isNamed === true || isNumber === true) && typeof label === 'string' ? label : undefined
}

function Head<Row>({ context, column }: { context: AdminContext; column: Column<Row> }) {
  const { query, path } = context
  const strings = getMessages('admin', context.language)
  const look = column.isNumber === true ? 'number' : undefined
  if (column.sort === undefined) {
    return (
      <th scope="col" class={look}>
        {column.label}
      </th>
    )
  }
  const isSorted = query.sort === column.sort
  const isDown = isSorted && query.order === 'desc'
  const href = withQuery(path, {
    ...query,
    page: undefined,
    sort: column.sort,
    order: isSorted && !isDown ? 'desc' : 'asc'
  })
  return (
    <th scope="col" class={look} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}>
      <a href={href}>
        {column.label}
        {isSorted ? (
          <>
            <span aria-hidden="true">{isDown ? ' ↓' : ' ↑'}</span>
            <span class="visually-hidden">{isDown ? strings.sortedDown : strings.sortedUp}</span>
          </>
        ) : null}
      </a>
    </th>
  )
}

/** Parameters of a list that do not filter it. */
const otherParameters = ['sort', 'order', 'page', 'cursor']

/** Filters of a list: a GET form. Folded on phones, where the summary has the number of active filters. */
export function Filters({ context, children }: { context: AdminContext; children: ComponentChildren }) {
  const strings = getMessages('admin', context.language)
  const { sort, order } = context.query
  const active = Object.entries(context.query).filter(
    ([name, value]) => value !== '' && !otherParameters.includes(name)
  )
  return (
    <details class="filter-fold">
      <summary>
        {strings.filters}
        {active.length === 0 ? null : ` (${strings.activeFilters({ count: active.length })})`}
      </summary>
      <form class="filters" method="get" action={context.path}>
        {sort === undefined ? null : <input type="hidden" name="sort" value={sort} />}
        {order === undefined ? null : <input type="hidden" name="order" value={order} />}
        {children}
        <div class="actions">
          <button type="submit" class="small">
            {strings.filter}
          </button>
          <a class="button small quiet" href={context.path}>
            {strings.reset}
          </a>
        </div>
      </form>
    </details>
  )
}

/** Beside the title of a list: create button, if the role may, and CSV download. */
export function ListActions({
  context,
  create
}: {
  context: AdminContext
  create: { label: string; href: string } | undefined
}) {
  return (
    <>
      {create === undefined ? null : (
        <a class="button" href={create.href}>
          {create.label}
        </a>
      )}
      <a class="button quiet" href={getCsvPath(context)}>
        {getMessages('admin', context.language).csv}
      </a>
    </>
  )
}
