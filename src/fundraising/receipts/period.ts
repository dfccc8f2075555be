/** From the first to the last day, inclusive. */
export interface Period {
  from: string
  to: string
}

/** The unclaimed periods of a year up to and including today: a period in the future cannot be certified. */
export function listFreePeriods(year: number, claimed: readonly Period[], today: string): Period[] {
  const end = `${year}-12-31`
  const last = today < end ? today : end
  const free: Period[] = []
  let from = `${year}-01-01`
  for (const period of claimed.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const before = previousDay(period.from)
    if (from <= before && from <= last) free.push({ from, to: before < last ? before : last })
    if (period.to >= from) from = nextDay(period.to)
  }
  if (from <= last) free.push({ from, to: last })
  return free
}

export function isWithin(day: string, { from, to }: Period): boolean {
  return from <= day && day <= to
}

/** Whether the year is over: an earlier run would leave the rest of the year to another receipt. */
export function isYearOver(year: number, today: string): boolean {
  return today > `${year}-12-31`
}

const nextDay = (day: string) => addDays(day, 1)
const previousDay = (day: string) => addDays(day, -1)

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
