import { buildSite } from '#calendar/contract/routing/site.ts'
import { listAllRows } from '#calendar/imports/row-queries.ts'
import type { Import, Outcome } from '#calendar/imports/schema.ts'
import { toImportRowJson } from '#calendar/imports/wire.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'

const labels = {
  same: 'equal',
  explained: 'explained',
  differs: 'differs',
  missing: 'missing here',
  gone: 'gone there',
  problem: 'not compared'
} as const satisfies Partial<Record<Outcome, string>>

/** Prints how each item compares with its source. The exit code is 1 if a difference has no explanation. */
export async function printComparison(
  store: Store,
  settings: Settings,
  { id, status, counts, error }: Import,
  asJson: boolean
): Promise<void> {
  const unexplained = counts.differs + counts.missing + counts.gone + counts.problem
  if (status !== 'done' || unexplained > 0) process.exitCode = 1
  if (status !== 'done') console.error(`Comparison ${id} ${status}: ${error?.en ?? 'see the server log'}`)
  const site = buildSite(settings.publicUrl ?? '', settings)
  const summary = Object.fromEntries(Object.keys(labels).map(name => [name, counts[name as keyof typeof labels]]))
  const items: object[] = []
  for await (const rows of listAllRows(store, id, {})) {
    for (const row of rows) {
      const item = toImportRowJson(row, { language: 'en', site })
      if (asJson) items.push(item)
      else printItem(item)
    }
  }
  if (asJson) {
    console.log(JSON.stringify({ id, status, summary, isExplained: unexplained === 0, items }, null, 2))
    return
  }
  for (const [name, label] of Object.entries(labels)) {
    console.log(`${label.padEnd(12)} ${String(summary[name]).padStart(7)}`)
  }
}

function printItem(item: ReturnType<typeof toImportRowJson>): void {
  const { kind, title, outcome, source_id, differences, reasons } = item
  console.log(`${labels[outcome as keyof typeof labels]}: ${kind} ${source_id} ${title}`)
  for (const { field, theirs, ours, reason, code } of differences) {
    const values = theirs === '' && ours === '' ? '' : ` ${theirs || '(empty)'} → ${ours || '(empty)'}`
    console.log(`  ${field}:${values}${code === null ? '' : ` [${code}] ${reason}`}`)
  }
  const told = new Set(differences.map(({ reason }) => reason))
  for (const reason of reasons) if (!told.has(reason)) console.log(`  ${reason}`)
}
