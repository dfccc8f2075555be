import { calendarChecks } from '#calendar/checks.ts'
import { calendarJobs } from '#calendar/jobs.ts'
import { calendarService } from '#calendar/service.ts'
import { calendarSubjects } from '#calendar/subjects.ts'
import { fundraisingChecks } from '#fundraising/checks.ts'
import { fundraisingJobs } from '#fundraising/jobs.ts'
import { fundraisingLetters } from '#fundraising/letters/letters.ts'
import { fundraisingService } from '#fundraising/service.ts'
import { fundraisingSubjects } from '#fundraising/subjects.ts'
import { accountLetters } from '#platform/account-letters/letters.ts'
import { platformChecks } from '#platform/checks.ts'
import type { Settings } from '#platform/config.ts'
import { factorLetters } from '#platform/factors/letters.ts'
import type { Job } from '#platform/jobs.ts'
import { mailJobs } from '#platform/mail/sending.ts'
import { platformJobs } from '#platform/platform.ts'
import type { Service, Subject } from '#platform/service.ts'
import { platformSubjects } from '#platform/subjects.ts'
import { webService } from '#web/service.ts'
import { named, UsageError } from './usage.ts'

/** Every part, in one place. */
const parts: Record<string, (settings: Settings) => Service> = {
  campaigns: fundraisingService,
  calendar: calendarService,
  web: webService
}
/** What is done later, whichever parts a process serves. */
export function jobsOf(settings: Settings): Job[] {
  // Pages that run apart have no key for account numbers, so they leave to others what may need one.
  const ofDonations =
    settings.encryptionKey === undefined
      ? []
      : [
          ...mailJobs(settings, { ...accountLetters, ...factorLetters, ...fundraisingLetters }),
          ...fundraisingJobs(settings)
        ]
  return [...platformJobs, ...ofDonations, ...calendarJobs(settings)]
}
export const checks = [...fundraisingChecks, ...calendarChecks, ...platformChecks]

/** What there is to tell others of, whichever parts a process serves. */
export function subjectsOf(settings: Settings): Record<string, Subject> {
  return { ...platformSubjects, ...fundraisingSubjects(settings), ...calendarSubjects(settings) }
}

/** What a process serves: the parts that are named, or all; a worker none. */
export function chosenToServe(words: string[]): ((settings: Settings) => Service)[] {
  if (!words.includes('worker')) return chosen(words)
  if (words.length > 1) throw new UsageError('A worker does what is done later and serves nothing: start it by itself.')
  return []
}

/** The parts that are named, or all. */
export function chosen(words: string[]): ((settings: Settings) => Service)[] {
  const unknown = words.filter(word => named(parts, word) === undefined)
  if (unknown.length > 0)
    throw new UsageError(`There is no part ${unknown.join(', ')}; there is ${Object.keys(parts).join(', ')}.`)
  return Object.entries(parts).flatMap(([name, part]) => (words.length === 0 || words.includes(name) ? [part] : []))
}
