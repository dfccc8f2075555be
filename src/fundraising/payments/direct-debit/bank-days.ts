/**
 * Days on which banks settle euro payments (TARGET): not at weekends, and not on the six common holidays. National
 * holidays do not count. A day is text such as `2026-12-24`.
 */
export function isBankDay(day: string): boolean {
  const weekday = new Date(toNoonMs(day)).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const easter = computeEasterSunday(Number(day.slice(0, 4)))
  return !fixedHolidays.includes(day.slice(5)) && day !== addDays(easter, -2) && day !== addDays(easter, 1)
}

const fixedHolidays = ['01-01', '05-01', '12-25', '12-26']

/** The given day, or the next bank day after it. */
export function toBankDay(day: string): string {
  let found = day
  while (!isBankDay(found)) found = addDays(found, 1)
  return found
}

/**
 * The first day on which a file created today can collect money: donors are notified some days before, and the bank
 * needs the file on a bank day before the collection.
 */
export function getEarliestCollectionDay(today: string, preNotificationDays: number): string {
  const handedIn = toBankDay(today)
  const afterNotice = addDays(today, preNotificationDays)
  const afterHandingIn = addDays(handedIn, 1)
  return toBankDay(afterNotice > afterHandingIn ? afterNotice : afterHandingIn)
}

export function addDays(day: string, days: number): string {
  return new Date(toNoonMs(day) + days * dayMs).toISOString().slice(0, 10)
}

const dayMs = 86_400_000
const toNoonMs = (day: string) => Date.parse(`${day}T12:00:00Z`)

/** Gregorian computus: the Sunday after the first ecclesiastical full moon of spring. */
export function computeEasterSunday(year: number): string {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const skippedLeapDays = Math.floor(century / 4)
  const lunarCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + century - skippedLeapDays - lunarCorrection + 15) % 30
  const [centuryRest, yearOfCentury] = [century % 4, year % 100]
  const weekday = (32 + 2 * centuryRest + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451)
  const sum = moon + weekday - 7 * late + 114
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
