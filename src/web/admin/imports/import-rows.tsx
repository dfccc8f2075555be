import { formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager, Table } from '../shared/table.tsx'
import { getImportPagePath, type Import, type ImportRow, type Outcome, outcomes } from './import-types.ts'
import { importStrings } from './strings.ts'

const badgeClasses: Record<Outcome, string> = {
  new: 'good',
  changed: '',
  same: 'plain',
  skipped: 'plain',
  problem: 'bad',
  gone: 'plain'
}

const folders: Record<Exclude<ImportRow['kind'], 'series'>, string> = {
  event: '/admin/events',
  venue: '/admin/venues',
  organizer: '/admin/organizers',
  category: '/admin/categories',
  tag: '/admin/tags',
  image: '/admin/images'
}

/** The report, item by item; the counts are its filters. */
export function Rows({
  context,
  one,
  found
}: {
  context: AdminContext
  one: Import
  found: { rows: ImportRow[]; total_pages: number }
}) {
  const { language } = context
  const strings = importStrings[language]
  return (
    <>
      <Tabs context={context} one={one} />
      <Table
        context={context}
        caption={strings.rows}
        empty={<p>{strings.rowsNone}</p>}
        rows={found.rows}
        columns={[
          {
            label: strings.item,
            isHead: true,
            cell: row => <Title row={row} isLinked={one.status === 'done' && !one.dry_run} without={strings.noTitle} />
          },
          { label: strings.kind, cell: ({ kind }) => strings.kinds[kind] },
          {
            label: strings.outcome,
            cell: ({ outcome }) => <span class={`badge ${badgeClasses[outcome]}`}>{strings.outcomes[outcome]}</span>
          },
          { label: strings.reasons, cell: ({ reasons }) => <Reasons reasons={reasons} /> }
        ]}
      />
      <Pager context={context} page={getPageNumber(context)} pages={found.total_pages} />
    </>
  )
}

function Tabs({ context, one }: { context: AdminContext; one: Import }) {
  const { language, query } = context
  const strings = importStrings[language]
  const all = outcomes.reduce((sum, outcome) => sum + one.counts[outcome], 0)
  const shown = outcomes.find(outcome => outcome === query.outcome)
  const tab = (outcome: Outcome | undefined, count: number) => (
    <li key={outcome ?? 'all'}>
      <a
        href={withQuery(getImportPagePath(context), { outcome })}
        {...(outcome === shown ? { 'aria-current': 'page' as const } : {})}
      >
        {strings.counts[outcome ?? 'all']} <span class="count">{formatNumber(language, count)}</span>
      </a>
    </li>
  )
  return (
    <nav class="tabs import-tabs" aria-label={strings.outcome}>
      <ul>
        {tab(undefined, all)}
        {outcomes.map(outcome => tab(outcome, one.counts[outcome]))}
      </ul>
    </nav>
  )
}

function Title({ row, isLinked, without }: { row: ImportRow; isLinked: boolean; without: string }) {
  const title = row.title === '' ? without : row.title
  if (!isLinked || row.item_id === null || row.kind === 'series') return <span class="anywhere">{title}</span>
  const href = row.kind === 'image' ? folders.image : `${folders[row.kind]}/${row.item_id}`
  return (
    <a class="anywhere" href={href}>
      {title}
    </a>
  )
}

function Reasons({ reasons }: { reasons: string[] }) {
  if (reasons.length === 0) return null
  if (reasons.length === 1) return <span class="anywhere">{reasons[0]}</span>
  return (
    <ul class="import-reasons anywhere">
      {reasons.map(reason => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}
