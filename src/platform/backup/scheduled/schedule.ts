const dayMs = 24 * 60 * 60 * 1000
/** Delay before a scheduled backup that failed is tried again. */
const retryMs = 60 * 60 * 1000

/**
 * Whether a backup is due: none was taken since the last scheduled time, and the last attempt is not too recent. So a
 * machine that was off at that time catches up.
 */
export function isBackupDue(
  { scheduleMinute, timezone }: { scheduleMinute: number; timezone: string },
  { lastAt, failedAt }: { lastAt: string | undefined; failedAt: string | undefined },
  now: Date
): boolean {
  if (failedAt !== undefined && now.getTime() - Date.parse(failedAt) < retryMs) return false
  return lastAt === undefined || Date.parse(lastAt) < findLastScheduledTime(scheduleMinute, timezone, now).getTime()
}

/** The newest moment, not after now, at which clocks of the time zone showed this time of day. */
export function findLastScheduledTime(scheduleMinute: number, timezone: string, now: Date): Date {
  const today = toLocalMinutes(now, timezone)
  const elapsed = today.minuteOfDay - scheduleMinute
  // A clock change within these hours moves the result; the remaining difference is added below.
  const guess = new Date(now.getTime() - (elapsed >= 0 ? elapsed : elapsed + 24 * 60) * 60_000 - today.msOfMinute)
  const offBy =
    (((toLocalMinutes(guess, timezone).minuteOfDay - scheduleMinute + 36 * 60) % (24 * 60)) - 12 * 60) * 60_000
  const moment = new Date(guess.getTime() - offBy)
  return moment.getTime() <= now.getTime() ? moment : new Date(moment.getTime() - dayMs)
}

function toLocalMinutes(moment: Date, timezone: string): { minuteOfDay: number; msOfMinute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  }).formatToParts(moment)
  const read = (type: string) => Number(parts.find(part => part.type === type)?.value)
  return { minuteOfDay: read('hour') * 60 + read('minute'), msOfMinute: moment.getTime() % 60_000 }
}
