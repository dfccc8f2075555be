import { createCalendarActivityTypes } from '#calendar/activity-types.ts'
import { calendarChecks } from '#calendar/doctor.ts'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { createCalendarService } from '#calendar/service.ts'
import { calendarEmails } from '#calendar/suggestions/emails.ts'
import { createFundraisingActivityTypes } from '#fundraising/activity-types.ts'
import { fundraisingChecks } from '#fundraising/doctor.ts'
import { fundraisingEmails } from '#fundraising/emails/templates.ts'
import { createFundraisingJobs } from '#fundraising/jobs.ts'
import { createFundraisingService } from '#fundraising/service.ts'
import { platformActivityTypes } from '#platform/activity/resource-types.ts'
import { accountEmails } from '#platform/auth/emails/account-emails.ts'
import { secondFactorEmails } from '#platform/auth/emails/second-factor-emails.ts'
import { buildBackupJobs } from '#platform/backup/scheduled/scheduled-backup.ts'
import type { Settings } from '#platform/config.ts'
import { platformChecks } from '#platform/doctor/platform-checks.ts'
import { buildEmailJobs } from '#platform/email/send.ts'
import type { ActivityType, Service } from '#platform/http/service.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { createPlatformJobs } from '#platform/jobs/platform-jobs.ts'
import type { Log } from '#platform/log.ts'
import { newWebService } from '#web/service.ts'
import { migrations } from '../support/migrations.ts'
import { getOwn, UsageError } from '../support/usage.ts'

/** All services. */
const services: Record<string, (settings: Settings) => Service> = {
  campaigns: createFundraisingService,
  calendar: createCalendarService,
  web: newWebService
}
/** Background jobs, independent of which services this process runs. */
export function listJobs(settings: Settings, log: Log): Job[] {
  // A web-only process has no encryption key, so it leaves jobs that may need one to other processes.
  const ofDonations =
    settings.encryptionKey === undefined
      ? []
      : [
          ...buildEmailJobs(settings, {
            ...accountEmails,
            ...secondFactorEmails,
            ...fundraisingEmails,
            ...calendarEmails
          }),
          ...createFundraisingJobs(settings)
        ]
  return [
    ...createPlatformJobs(settings, log),
    ...buildBackupJobs(settings, migrations, log),
    ...ofDonations,
    ...createCalendarJobs(settings)
  ]
}
export const checks = [...fundraisingChecks, ...calendarChecks, ...platformChecks]

/** Activity types that are published to others, independent of which services this process runs. */
export function listActivityTypes(settings: Settings): Record<string, ActivityType> {
  return {
    ...platformActivityTypes,
    ...createFundraisingActivityTypes(settings),
    ...createCalendarActivityTypes(settings)
  }
}

/** Services this process runs: the named ones, or all; none in a worker process. */
export function selectServices(words: string[]): ((settings: Settings) => Service)[] {
  if (!words.includes('worker')) return findServices(words)
  if (words.length > 1) throw new UsageError('worker cannot be combined with other services.')
  return []
}

/** The named services, or all. */
export function findServices(words: string[]): ((settings: Settings) => Service)[] {
  const unknown = words.filter(word => getOwn(services, word) === undefined)
  if (unknown.length > 0)
    throw new UsageError(`Unknown service: ${unknown.join(', ')}. Available: ${Object.keys(services).join(', ')}.`)
  return Object.entries(services).flatMap(([name, part]) => (words.length === 0 || words.includes(name) ? [part] : []))
}
