import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { Incoming } from '../source.ts'
import type { ParsedEvent } from './event.ts'
import { type EventTimes, toDateFields } from './event-times.ts'

/** An item of a calendar, and the venue, organizers and categories that it references. */
export interface FoundEvent {
  named: Incoming[]
  event: Incoming
}

export function toFoundEvent(event: ParsedEvent, sourceId: string, when: EventTimes | undefined): FoundEvent {
  const { title, texts, fields, image, named, problems, skipped, lineNumber } = event
  const isFine = problems.length === 0 && skipped.length === 0
  const notes = title === '' ? [...event.notes, describeUntitled(lineNumber, texts)] : event.notes
  return {
    named: isFine ? named : [],
    event: {
      kind: 'event',
      sourceId,
      texts,
      fields: when === undefined ? fields : { ...fields, ...toDateFields(when) },
      ...(image === undefined ? {} : { image }),
      problems,
      ...(skipped.length === 0 ? {} : { skipped: [...skipped] }),
      ...(notes.length === 0 ? {} : { notes })
    }
  }
}

/** A report row for something that is not imported. */
export function newSkippedItem(kind: Incoming['kind'], sourceId: string, event: ParsedEvent, why: Text): FoundEvent {
  return { named: [], event: { kind, sourceId, texts: event.texts, fields: {}, problems: [], skipped: [why] } }
}

export function convertOlderVersion(uid: string, older: ParsedEvent): FoundEvent {
  const one = toFoundEvent(older, `${uid}/${older.lineNumber}`, older.when)
  one.event.skipped = [...(one.event.skipped ?? []), describeOlderVersion(older.lineNumber)]
  return { ...one, named: [] }
}

const describeUntitled = (line: number, texts: Incoming['texts']): Text => {
  const [title = ''] = Object.values(texts).map(text => text.title)
  return buildText('import-source-reasons', 'importedWithTitle', { line, title })
}

const describeOlderVersion = (line: number): Text => buildText('import-source-reasons', 'olderVersion', { line })
