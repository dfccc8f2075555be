/** `kalends-scheduled-2026-11-15T031700Z.backup`: unlike backups taken by hand, those of this name are removed. */
export function buildBackupName(takenAt: Date): string {
  return `kalends-scheduled-${takenAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`
}

const namePattern = /^kalends-scheduled-((\d{4}-\d\d)-\d\d)T\d{6}Z\.backup$/

/** The rest of a backup whose process was killed. */
const unfinishedPattern = /^kalends-scheduled-\S+\.unfinished-\d+$/

/**
 * Lists the scheduled backups to remove: all but the newest of each of the last days, and the newest of each of the last
 * months, that have one; and unfinished ones. Ignores all other files.
 */
export function listExpired(
  names: string[],
  { keepDays, keepMonths }: { keepDays: number; keepMonths: number }
): string[] {
  const newestFirst = names
    .map(name => namePattern.exec(name))
    .filter(match => match !== null)
    .map(([name, day = '', month = '']) => ({ name, day, month }))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
  const kept = new Set([...pickNewest(newestFirst, 'day', keepDays), ...pickNewest(newestFirst, 'month', keepMonths)])
  return names.filter(name => (namePattern.test(name) && !kept.has(name)) || unfinishedPattern.test(name))
}

function pickNewest(
  newestFirst: { name: string; day: string; month: string }[],
  period: 'day' | 'month',
  count: number
): string[] {
  const newest = new Map<string, string>()
  for (const backup of newestFirst) if (!newest.has(backup[period])) newest.set(backup[period], backup.name)
  return [...newest.values()].slice(0, count)
}
