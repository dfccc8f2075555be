// How near Kalends is to the limit of the machine: each row beside a limit that is measured in the same run. What the rows mean
// is in docs/performance.md.
//   npm run bench                        everything, about ten minutes; writes bench/results
//   npm run bench -- --quick             under three minutes: shorter measurements, at most 100,000 events; less steady
//   npm run bench -- campaigns events    only these parts; `filters` and `capacity` run only if they are named
//   npm run bench -- --table             prints the last results again, as a table in Markdown
// Exits with 1 if a floor does not hold.
import { benchCalendarSize } from './calendar-size.ts'
import { benchCampaigns } from './campaigns.ts'
import { benchCapacity } from './capacity.ts'
import { benchDonations } from './donations.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { benchEventWrites } from './event-writes.ts'
import { benchEvents } from './events.ts'
import { benchFilters } from './filters.ts'
import { chosenParts, isQuick, isTableOnly } from './options.ts'
import { benchPages } from './pages.ts'
import { formatResults, newResults, readLastResults, writeResults } from './results.ts'
import { benchSeries } from './series.ts'
import { benchStart } from './start.ts'
import { isFloorBroken, type Row } from './table.ts'

const parts: Record<string, (environment: Environment) => Promise<Row[]>> = {
  start: benchStart,
  campaigns: benchCampaigns,
  donations: benchDonations,
  events: benchEvents,
  pages: benchPages,
  sizes: benchCalendarSize,
  series: benchSeries,
  // Last, as it changes the calendar that others read.
  writes: benchEventWrites,
  filters: benchFilters,
  capacity: benchCapacity
}
const usualParts = Object.keys(parts).filter(name => name !== 'filters' && name !== 'capacity')

if (isTableOnly) {
  console.log(formatResults(readLastResults()))
} else {
  const unknown = chosenParts.filter(name => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    throw new Error(`There is no ${unknown.join(', ')}; there is ${Object.keys(parts).join(', ')}.`)
  }
  const results = newResults(await measureParts(chosenParts.length > 0 ? chosenParts : usualParts))
  if (results.rows.length > 0) console.log(`\n${formatResults(results)}`)
  // Parts of a run, or a short one, are no results to keep.
  if (chosenParts.length === 0 && !isQuick) console.log(`Written to ${writeResults(results)}`)
  const broken = results.rows.filter(isFloorBroken)
  if (broken.length > 0) {
    console.log(`${broken.length} floors do not hold: ${broken.map(({ name }) => name).join('; ')}`)
    process.exitCode = 1
  }
}

async function measureParts(names: string[]): Promise<Row[]> {
  const environment = await openEnvironment()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void environment.close().finally(() => process.exit(1)))
  }
  const rows: Row[] = []
  try {
    for (const [name, bench] of Object.entries(parts)) {
      if (!names.includes(name)) continue
      const begin = performance.now()
      rows.push(...(await bench(environment)))
      console.log(`${name}: ${Math.round((performance.now() - begin) / 1000)} s`)
    }
  } finally {
    await environment.close()
  }
  return rows
}
