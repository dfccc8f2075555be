import { createHash } from 'node:crypto'
import { buildFileKey, toHttpUrl } from '../incoming/source-file.ts'
import type { ImportRequest } from '../source.ts'
import type { Component } from './parser.ts'
import { findValue } from './timezones.ts'

/** Namespace of UIDs that are not globally unique. */
export function getUidNamespace(calendar: Component, { url, fileName }: ImportRequest): string {
  if (url !== null) return toHttpUrl(url)
  return findValue(calendar, 'X-WR-CALNAME') ?? findValue(calendar, 'PRODID') ?? fileName ?? ''
}

/** The calendar as a whole: its URL, or the names of the calendar and of the file. */
export function getPlace(calendar: Component | undefined, { url, fileName }: ImportRequest): string {
  if (url !== null) return toHttpUrl(url)
  return `${findValue(calendar, 'X-WR-CALNAME') ?? ''} ${buildFileKey(fileName)}`.trim()
}

const uidLengthMax = 300

/** The components of each event: the event itself, and changed occurrences of a series. */
export function groupByUid(calendar: Component, place: string): Map<string, Component[]> {
  const groups = new Map<string, Component[]>()
  for (const component of calendar.children) {
    if (component.name !== 'VEVENT') continue
    const uid = buildUid(component, place)
    const group = groups.get(uid)
    if (group === undefined) groups.set(uid, [component])
    else group.push(component)
  }
  return groups
}

function buildUid(component: Component, place: string): string {
  const uid = findValue(component, 'UID')?.trim() ?? ''
  if (uid === '') return digest([findValue(component, 'SUMMARY'), findValue(component, 'DTSTART'), place].join('\n'))
  if (uid.length > uidLengthMax) return digest(uid)
  // A UID such as `17` is only unique within its calendar, despite the RFC.
  return uid.length < 16 && !uid.includes('@') ? digest(`${uid}\n${place}`) : uid
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
