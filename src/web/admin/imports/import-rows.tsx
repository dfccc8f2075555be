import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { Table } from '../shared/table.tsx'
import {
  comparisonOutcomes,
  getImportPagePath,
  type Import,
  type ImportRow,
  importOutcomes,
  type Outcome,
  type RowList
} from './import-types.ts'

const badgeClasses: Record<Outcome, string> = {
  new: 'good',
  changed: '',
  same: 'plain',
  skipped: 'plain',
  problem: 'bad',
  gone: 'plain',
  explained: 'plain',
  differs: 'warn',
  missing: 'warn'
}

const folders: Partial<Record<ImportRow['kind'], string>> = {
  event: '/admin/events',
  series: '/admin/series',
  venue: '/admin/venues',
  organizer: '/admin/organizers',
  category: '/admin/categories',
  tag: '/admin/tags'
}

/** The report, item by item; the counts are its filters. */
export function Rows({ context, one, found }: { context: AdminContext; one: Import; found: RowList }) {
  const { language } = context
  const strings = getMessages('import', language)
  const labels = one.compares ? getMessages('import-report', language).comparisonOutcomes : strings.outcomes
  return (
    <>
      <Tabs context={context} one={one} />
      <Filters context={context} found={found} />
      <Table
        context={context}
        caption={strings.rows}
        empty={<p>{strings.rowsNone}</p>}
        rows={found.rows}
        columns={[
          {
            label: strings.item,
            isHead: true,
            cell: row => (
              <Title context={context} row={row} isLinked={one.status === 'done' && (!one.dry_run || one.compares)} />
            )
          },
          { label: strings.kind, cell: ({ kind }) => strings.kinds[kind] },
          {
            label: strings.outcome,
            cell: ({ outcome }) => (
              <span class={`badge ${badgeClasses[outcome]}`}>{(labels as Record<string, string>)[outcome]}</span>
            )
          },
          { label: strings.reasons, cell: row => <Remarks context={context} row={row} /> }
        ]}
      />
      <Pager context={context} page={getPageNumber(context)} pages={found.total_pages} />
    </>
  )
}

function Tabs({ context, one }: { context: AdminContext; one: Import }) {
  const { language, query } = context
  const strings = getMessages('import', language)
  const outcomes: readonly Outcome[] = one.compares ? comparisonOutcomes : importOutcomes
  const labels: Record<string, string> = one.compares
    ? getMessages('import-report', language).comparisonCounts
    : { ...strings.counts }
  const all = outcomes.reduce((sum, outcome) => sum + one.counts[outcome], 0)
  const shown = outcomes.find(outcome => outcome === query.outcome)
  const tab = (outcome: Outcome | undefined, count: number) => (
    <li key={outcome ?? 'all'}>
      <a
        href={withQuery(getImportPagePath(context), { outcome })}
        {...(outcome === shown ? { 'aria-current': 'page' as const } : {})}
      >
        {labels[outcome ?? 'all']} <span class="count">{formatNumber(language, count)}</span>
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

/** By kind and reason, and the whole report as a file. */
function Filters({ context, found }: { context: AdminContext; found: RowList }) {
  const { language, query } = context
  const strings = getMessages('import-report', language)
  const { kinds } = getMessages('import', language)
  const outcome = typeof query.outcome === 'string' ? query.outcome : undefined
  const chosen = { outcome, kind: pick(query.kind), code: pick(query.code) }
  const options = (counts: Record<string, number>, labels: Record<string, string>) =>
    Object.keys(counts).map(name => ({
      name,
      label: `${labels[name] ?? name} (${formatNumber(language, counts[name] ?? 0)})`
    }))
  const select = (name: 'kind' | 'code', label: string, any: string, listed: { name: string; label: string }[]) => (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{any}</option>
        {listed.map(one => (
          <option key={one.name} value={one.name} selected={one.name === chosen[name]}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
  return (
    <form class="filters" method="get" action={getImportPagePath(context)}>
      {outcome === undefined ? null : <input type="hidden" name="outcome" value={outcome} />}
      {select('kind', strings.filterKind, strings.anyKind, options(found.kinds, { ...kinds }))}
      {Object.keys(found.codes).length === 0
        ? null
        : select('code', strings.filterReason, strings.anyReason, options(found.codes, strings.codes))}
      <div class="actions">
        <button type="submit" class="quiet">
          {strings.filter}
        </button>
        <a class="button quiet" href={withQuery(getImportPagePath(context, '/report.csv'), chosen)}>
          {strings.download}
        </a>
      </div>
    </form>
  )
}

const pick = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function Title({ context, row, isLinked }: { context: AdminContext; row: ImportRow; isLinked: boolean }) {
  const { noTitle } = getMessages('import', context.language)
  const title = row.title === '' ? noTitle : row.title
  const folder = folders[row.kind]
  const href = folder === undefined ? (row.kind === 'image' ? '/admin/images' : undefined) : `${folder}/${row.item_id}`
  return (
    <>
      {!isLinked || row.item_id === null || href === undefined ? (
        <span class="anywhere">{title}</span>
      ) : (
        <a class="anywhere" href={href}>
          {title}
        </a>
      )}
      {row.source_url === null ? null : (
        <a class="sub anywhere" href={row.source_url} rel="noopener nofollow">
          {getMessages('import-report', context.language).atSource}
        </a>
      )}
    </>
  )
}

/** The differences with both values, then what else there is to say. */
function Remarks({ context, row }: { context: AdminContext; row: ImportRow }) {
  const strings = getMessages('import-report', context.language)
  const told = new Set(row.differences.map(({ reason }) => reason))
  const others = row.reasons.filter(reason => !told.has(reason))
  if (row.differences.length + others.length === 0) return null
  return (
    <ul class="import-reasons anywhere">
      {row.differences.map((one, place) => (
        <li key={String(place)}>
          <b>{one.field}</b>
          {one.theirs === one.ours ? null : (
            <>
              {': '}
              <q>{one.theirs === '' ? strings.empty : one.theirs}</q> {strings.arrow}{' '}
              <q>{one.ours === '' ? strings.empty : one.ours}</q>
            </>
          )}
          {one.reason === null ? null : <span class="sub">{one.reason}</span>}
        </li>
      ))}
      {others.map(reason => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}
