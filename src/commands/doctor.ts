import { checks } from './parts.ts'
import { withStore } from './store.ts'

export async function run(): Promise<void> {
  await withStore(async (store, settings) => {
    console.log(
      `ok    settings: ${settings.databaseUrl === undefined ? `embedded store in ${settings.dataDir}` : 'database server'}`
    )
    console.log('ok    database: answers, tables up to date')
    for (const check of checks) {
      const faults = await check.run(store)
      console.log(faults.length === 0 ? `ok    ${check.name}` : `FAULT ${check.name}\n      ${faults.join('\n      ')}`)
      if (faults.length > 0) process.exitCode = 1
    }
  })
}
