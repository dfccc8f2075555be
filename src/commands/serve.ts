import { settingsOfThisProcess } from '#platform/config.ts'
import { openStore } from '#platform/database.ts'
import { newLog } from '#platform/log.ts'

export async function run(words: string[]): Promise<void> {
  const settings = settingsOfThisProcess()
  const log = newLog(settings.logLevel)
  // The store starts while the program is loaded.
  const opening = openStore(settings, 'serving', log)
  const loading = Promise.all([import('./parts.ts'), import('./serving.ts')])
  const [opened, loaded] = await Promise.allSettled([opening, loading])
  if (opened.status === 'rejected') throw opened.reason
  if (loaded.status === 'rejected') {
    await opened.value.close()
    throw loaded.reason
  }
  const [{ chosenToServe, jobsOf, subjectsOf }, { serve }] = loaded.value
  await serve({ settings, store: opened.value, log, parts: () => chosenToServe(words), jobsOf, subjectsOf })
}
