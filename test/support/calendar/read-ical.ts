import assert from 'node:assert/strict'
import { openIcal } from '#calendar/imports/sources/ical/ical-source.ts'
import type { ImportRequest, Incoming } from '#calendar/imports/sources/source.ts'
import { readFile } from './read-source.ts'

/** The items of an iCalendar file. */
export const readIcal = async (content: string | Uint8Array, request: Partial<ImportRequest> = {}) =>
  await readFile(openIcal, content, request)

/** The items of an iCalendar file, with recurring entries as series. */
export const readIcalSeries = async (
  content: string | Uint8Array,
  request: Partial<ImportRequest> = {},
  now = new Date('2027-03-01T10:00:00Z')
) =>
  await readFile(openIcal, content, request, {
    now,
    findRecurring: async () => ({ series: new Set<string>(), single: new Set<string>() })
  })

/** Builds a calendar with an event for each list of lines. */
export function buildIcal(events: string[][], head: string[] = []): string {
  const lines = events.flatMap(lines => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...head, ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

export const concert = [
  'UID:concert-2027@example.org',
  'SUMMARY:Concert',
  'DTSTART:20270401T170000Z',
  'DTEND:20270401T190000Z'
]
export const listEvents = (all: Incoming[]) => all.filter(({ kind }) => kind === 'event')
export const listStarts = (all: Incoming[]) => listEvents(all).map(({ fields }) => fields.start_date)

/** Reads a calendar with one event. */
export async function readOneEvent(lines: string[], head: string[] = []): Promise<Incoming> {
  const events = listEvents(await readIcal(buildIcal([lines], head)))
  assert.equal(events.length, 1)
  return events[0] as Incoming
}

/** The concert with other times. */
export const buildConcertAt = (...times: string[]) => [...concert.slice(0, 2), ...times]
