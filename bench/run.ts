// How near Kalends is to the limit of the machine: each row beside raw node:http that answers with the same bytes, or beside
// pgbench that runs the same statements, in turns. What the rows mean stands in docs/performance.md.
//   npm run bench                        everything: about five minutes
//   npm run bench -- --quick             about a minute, with 10,000 events and at 32 connections only; less steady
//   npm run bench -- campaigns events    only these; `filters` and `capacity` run only if they are named
//   npm run bench -- --json FILE         also writes all rows
//   npm run bench -- --check             ends with 1 if a floor is broken
import { writeFileSync } from 'node:fs'
import { benchCampaigns } from './campaigns.ts'
import { benchCapacity } from './capacity.ts'
import { benchEvents } from './events.ts'
import { benchFilters } from './filters.ts'
import { type Lab, openLab } from './lab.ts'
import { chosenParts, isCheck, jsonFile } from './options.ts'
import { benchPages } from './pages.ts'
import { benchSizes } from './sizes.ts'
import { benchStart } from './start.ts'
import { isBelowFloor, printTable, type Row } from './table.ts'

const parts: Record<string, (lab: Lab) => Promise<Row[]>> = {
  start: benchStart,
  campaigns: benchCampaigns,
  events: benchEvents,
  pages: benchPages,
  sizes: benchSizes,
  filters: benchFilters,
  capacity: benchCapacity
}
const usual = Object.keys(parts).filter(name => name !== 'filters' && name !== 'capacity')

const unknown = chosenParts.filter(name => !Object.hasOwn(parts, name))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there is ${Object.keys(parts).join(', ')}.`)

const lab = await openLab()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void lab.close().finally(() => process.exit(1)))
}
const rows: Row[] = []
try {
  for (const [name, part] of Object.entries(parts)) {
    if (!(chosenParts.length > 0 ? chosenParts : usual).includes(name)) continue
    const begin = performance.now()
    rows.push(...(await part(lab)))
    console.log(`${name}: ${Math.round((performance.now() - begin) / 1000)} s`)
  }
} finally {
  await lab.close()
}
if (rows.length > 0) printTable(rows)
if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(rows, null, 2)}\n`)
if (isCheck && rows.some(isBelowFloor)) process.exitCode = 1
