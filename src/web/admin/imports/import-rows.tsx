import { withQuery } from '../../api.ts'
import { number } from '../../format.ts'
import { importWords } from '../../text/imports.ts'
import type { Desk } from '../console.ts'
import { pageOf } from '../list-address.ts'
import { Pager, Table } from '../table.tsx'
import { type Import, type ImportRow, type Outcome, outcomes, pagePath } from './import-answers.ts'

const looks: Record<Outcome, string> = { new: 'good', changed: '', same: 'plain', skipped: 'plain', problem: 'bad' }

const folders: Record<ImportRow['kind'], string> = {
  event: '/admin/events',
  venue: '/admin/venues',
  organizer: '/admin/organizers',
  category: '/admin/categories',
  tag: '/admin/tags',
  image: '/admin/images'
}

/** The report, thing by thing; the numbers choose what is shown. */
export function Rows({
  desk,
  one,
  found
}: {
  desk: Desk
  one: Import
  found: { rows: ImportRow[]; total_pages: number }
}) {
  const { language } = desk
  const words = importWords[language]
  return (
    <>
      <Tabs desk={desk} one={one} />
      <Table
        desk={desk}
        caption={words.rows}
        empty={<p>{words.rowsNone}</p>}
        rows={found.rows}
        columns={[
          {
            label: words.item,
            isHead: true,
            cell: row => <Title row={row} isLinked={one.status === 'done' && !one.dry_run} without={words.noTitle} />
          },
          { label: words.kind, cell: ({ kind }) => words.kinds[kind] },
          {
            label: words.outcome,
            cell: ({ outcome }) => <span class={`badge ${looks[outcome]}`}>{words.outcomes[outcome]}</span>
          },
          { label: words.reasons, cell: ({ reasons }) => <Reasons reasons={reasons} /> }
        ]}
      />
      <Pager desk={desk} page={pageOf(desk)} pages={found.total_pages} />
    </>
  )
}

function Tabs({ desk, one }: { desk: Desk; one: Import }) {
  const { language, query } = desk
  const words = importWords[language]
  const all = outcomes.reduce((sum, outcome) => sum + one.counts[outcome], 0)
  const shown = outcomes.find(outcome => outcome === query.outcome)
  const tab = (outcome: Outcome | undefined, count: number) => (
    <li key={outcome ?? 'all'}>
      <a
        href={withQuery(pagePath(desk), { outcome })}
        {...(outcome === shown ? { 'aria-current': 'page' as const } : {})}
      >
        {words.counts[outcome ?? 'all']} <span class="count">{number(language, count)}</span>
      </a>
    </li>
  )
  return (
    <nav class="tabs import-tabs" aria-label={words.outcome}>
      <ul>
        {tab(undefined, all)}
        {outcomes.map(outcome => tab(outcome, one.counts[outcome]))}
      </ul>
    </nav>
  )
}

function Title({ row, isLinked, without }: { row: ImportRow; isLinked: boolean; without: string }) {
  const title = row.title === '' ? without : row.title
  if (!isLinked || row.item_id === null) return <span class="anywhere">{title}</span>
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
