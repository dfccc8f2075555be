import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { addDays } from '../format/format.ts'
import type { CalendarEvent } from '../server/calendar-api.ts'

/** A day: time to make plans. */
const alarmMinutes = 1440

/** Adds one event to the visitor's own calendar. Plain links, which all of these programs accept. */
export function AddToCalendar({
  language,
  event,
  address,
  place,
  text,
  when,
  isProtected
}: {
  language: Language
  event: CalendarEvent
  /** URL of the event's page. */
  address: string
  place: string
  text: string
  /** Day and time in words. */
  when: string
  /** A protected event has no .ics link: it would need the password in the URL. */
  isProtected: boolean
}) {
  const strings = getMessages('event', language)
  const entry = { title: event.title, place, details: [text, address].filter(Boolean).join('\n\n') }
  const subject = encodeURIComponent(strings.reminderSubject({ title: event.title }))
  const reminder = `mailto:?subject=${subject}&body=${encodeURIComponent([event.title, when, place, address].filter(Boolean).join('\n'))}`
  const programs: [string, string][] = [
    [strings.google, buildGoogleLink(event, entry)],
    [strings.outlook, buildOutlookLink('outlook.live.com', event, entry)],
    [strings.microsoft365, buildOutlookLink('outlook.office.com', event, entry)]
  ]
  return (
    <details class="add-to-calendar no-print">
      <summary class="button quiet">{strings.addToCalendar}</summary>
      <ul class="plain-list">
        {isProtected ? null : (
          <>
            <li>
              <a href={`/${language}/events/${event.id}.ics`} rel="nofollow">
                {strings.icsFile}
              </a>
            </li>
            <li>
              <a href={`/${language}/events/${event.id}.ics?alarm=${alarmMinutes}`} rel="nofollow">
                {strings.icsReminder}
              </a>
            </li>
          </>
        )}
        {programs.map(([name, href]) => (
          <li key={name}>
            <a href={href} rel="nofollow noopener">
              {name}
            </a>
          </li>
        ))}
        <li>
          <a href={reminder}>{strings.mailReminder}</a>
        </li>
      </ul>
    </details>
  )
}

interface Entry {
  title: string
  place: string
  details: string
}

function buildGoogleLink(event: CalendarEvent, { title, place, details }: Entry): string {
  const stamp = (utc: string) => `${utc.replaceAll(/[-:]/g, '').replace(' ', 'T')}Z`
  const day = (date: string) => date.slice(0, 10).replaceAll('-', '')
  // An all-day event ends at the start of the next day (exclusive end).
  const dates =
    event.all_day === true
      ? `${day(event.start_date)}/${day(addDays(event.end_date, 1))}`
      : `${stamp(event.utc_start_date)}/${stamp(event.utc_end_date)}`
  const query = new URLSearchParams({ action: 'TEMPLATE', text: title, dates, details, location: place })
  return `https://calendar.google.com/calendar/render?${query}`
}

function buildOutlookLink(host: string, event: CalendarEvent, { title, place, details }: Entry): string {
  const stamp = (utc: string) => `${utc.replace(' ', 'T')}Z`
  const query = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    ...(event.all_day === true
      ? { startdt: event.start_date.slice(0, 10), enddt: addDays(event.end_date, 1), allday: 'true' }
      : { startdt: stamp(event.utc_start_date), enddt: stamp(event.utc_end_date) }),
    location: place,
    body: details
  })
  return `https://${host}/calendar/0/deeplink/compose?${query}`
}
