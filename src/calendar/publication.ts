import type { Caller } from '#platform/access.ts'
import { readMoment } from './date-words.ts'
import type { Parameter, Reading } from './parameters.ts'
import { invalidParameter } from './problems.ts'
import { type MomentText, momentOrNone, type Status, status } from './rules.ts'
import { toLocal } from './time.ts'
import { grantedStatus, type Item } from './viewer.ts'

/** Whether and since when, or from when on, something can be seen. */
export interface Publication {
  status: Exclude<Status, 'future'>
  publishedAt: Date | null
}

export const publicationParameters = {
  status: status('publish, draft, pending, private, future or trash.'),
  date: publicationDate('When it is or was published, in the time zone of the site.'),
  date_utc: publicationDate('When it is or was published, in UTC.')
}

/** Zeros are what clients read of something that was never published, and send back. */
function publicationDate(description: string): Parameter<MomentText | null> {
  const { read, ...rest } = momentOrNone(description)
  return { ...rest, read: (given, about) => (given === '0000-00-00 00:00:00' ? null : read(given, about)) }
}

export interface PublicationValues {
  status?: Status
  date?: MomentText | null
  date_utc?: MomentText | null
}

/** A clock may be a little ahead of ours: what is to be published within this time is published now. */
const toleranceMs = 60_000

/** What a write makes of it. What is not mentioned stays; something new is published by whoever may. */
export function publicationAfter(
  caller: Caller,
  values: PublicationValues,
  before: Item | undefined,
  about: Reading
): Publication {
  const granted =
    values.status === undefined && before !== undefined
      ? (before.status as Publication['status'])
      : grantedStatus(caller, values.status)
  const known = before?.publishedAt == null ? null : new Date(before.publishedAt)
  const asked = askedDate(values, before, about)
  const date = asked === undefined ? known : asked
  const needsNone = granted === 'draft' || granted === 'pending' || (granted === 'trash' && before !== undefined)
  if (date === null) return { status: granted, publishedAt: needsNone ? null : about.now }
  return { status: granted, publishedAt: granted === 'publish' && isNearly(date, about.now) ? about.now : date }
}

const isNearly = (date: Date, now: Date) => date > now && date.getTime() - now.getTime() <= toleranceMs

/** Undefined if nothing new was said of it: clients send back both as they read them, or change one. */
function askedDate(values: PublicationValues, before: Item | undefined, about: Reading): Date | null | undefined {
  const shown = before === undefined ? {} : shownDates(before, about.zone)
  const isNew = (name: 'date' | 'date_utc') => values[name] !== undefined && values[name] !== shown[name]
  const name = isNew('date') ? 'date' : isNew('date_utc') ? 'date_utc' : undefined
  if (name === undefined) return undefined
  const value = values[name] ?? null
  if (value === null) return null
  const moment = readMoment(value, name === 'date' ? about.zone : 'UTC', about.now)
  if (moment === undefined) {
    throw invalidParameter(name, 'date', { en: 'must be a date or time', de: 'muss ein Datum oder eine Zeit sein' })
  }
  return moment.instant
}

function shownDates({ publishedAt, createdAt }: Item, zone: string): Pick<PublicationValues, 'date' | 'date_utc'> {
  if (publishedAt !== null) {
    const known = new Date(publishedAt)
    return { date: toLocal(known, zone), date_utc: toLocal(known, 'UTC') }
  }
  return { ...(createdAt === undefined ? {} : { date: toLocal(new Date(createdAt), zone) }), date_utc: null }
}
