const days = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `2026-12-01` as `1. Dezember 2026`. */
export function formatGermanDay(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`))
}

/** An instant in German, in UTC: problems do not know the time zone of the site. */
export function formatGermanMoment(instant: string): string {
  return `${moments.format(new Date(instant))} Uhr (UTC)`
}
