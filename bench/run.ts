//   npm run bench                    everything
//   npm run bench -- campaigns       one of campaigns, events, pages; --quick is shorter and less steady
import { parseArgs } from 'node:util'

const { positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, sizes: { type: 'string' } }
})
const programs: Record<string, () => Promise<unknown>> = {
  campaigns: () => import('./campaigns.ts'),
  events: () => import('./events.ts'),
  pages: () => import('./pages.ts')
}
const chosen = positionals.length === 0 ? Object.keys(programs) : positionals
for (const name of chosen) {
  const program = programs[name]
  if (program === undefined)
    throw new Error(`There is no benchmark ${name}; there is ${Object.keys(programs).join(', ')}.`)
  await program()
}
