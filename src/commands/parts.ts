import { calendarChecks } from '#calendar/checks.ts'
import { calendarMigrations, calendarService } from '#calendar/service.ts'
import { fundraisingChecks } from '#fundraising/checks.ts'
import { fundraisingJobs } from '#fundraising/jobs.ts'
import { fundraisingMigrations, fundraisingService } from '#fundraising/service.ts'
import type { Settings } from '#platform/config.ts'
import { platformJobs, platformMigrations } from '#platform/platform.ts'
import type { Service } from '#platform/service.ts'
import { webService } from '#web/service.ts'
import { named, UsageError } from './usage.ts'

/** Every part, in one place. */
const parts: Record<string, (settings: Settings) => Service> = {
  campaigns: fundraisingService,
  calendar: calendarService,
  web: webService
}
export const migrations = [platformMigrations, fundraisingMigrations, calendarMigrations]
export const jobs = [...platformJobs, ...fundraisingJobs]
export const checks = [...fundraisingChecks, ...calendarChecks]

/** The parts that are named, or all. */
export function chosen(words: string[]): ((settings: Settings) => Service)[] {
  const unknown = words.filter(word => named(parts, word) === undefined)
  if (unknown.length > 0)
    throw new UsageError(`There is no part ${unknown.join(', ')}; there is ${Object.keys(parts).join(', ')}.`)
  return Object.entries(parts).flatMap(([name, part]) => (words.length === 0 || words.includes(name) ? [part] : []))
}
