import type { Caller } from '#platform/caller.ts'
import { buildText } from '#platform/messages/messages.ts'
import { type DateTimeText, newOptionalDateTimeParam } from '../contract/date-params.ts'
import { type Param, type ParseContext, withNullIgnored } from '../contract/param-definition.ts'
import { newStatusParam, type PostStatus } from '../contract/params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import { toLocal } from '../time/time.ts'
import { getAllowedStatus, type OwnedPost } from './permissions.ts'

/** Whether and since when, or from when on, an item is visible. */
export interface Publication {
  status: Exclude<PostStatus, 'future'>
  publishedAt: Date | null
}

export const publicationParams = {
  status: withNullIgnored(newStatusParam('publish, draft, pending, private, future or trash.')),
  date: newPublicationDateParam('When it is or was published, in the time zone of the site.'),
  date_utc: newPublicationDateParam('When it is or was published, in UTC.')
}

/** Clients read zeros as the date of a never published item, and send them back. */
function newPublicationDateParam(description: string): Param<DateTimeText | null> {
  const { parse, ...rest } = newOptionalDateTimeParam(description)
  return { ...rest, parse: (given, about) => (given === '0000-00-00 00:00:00' ? null : parse(given, about)) }
}

export interface PublicationValues {
  status?: PostStatus
  date?: DateTimeText | null
  date_utc?: DateTimeText | null
}

/** A client's clock may be slightly ahead: an item to be published within this time is published now. */
const toleranceMs = 60_000

/** The publication after a write. Missing values stay; new items are published if the caller's role allows it. */
export function resolvePublication(
  caller: Caller,
  values: PublicationValues,
  before: OwnedPost | undefined,
  about: ParseContext
): Publication {
  const granted =
    values.status === undefined && before !== undefined
      ? (before.status as Publication['status'])
      : getAllowedStatus(caller, values.status)
  const known = before?.publishedAt == null ? null : new Date(before.publishedAt)
  const changed = findChangedDate(values, before, about)
  const date = changed === undefined ? known : changed
  const needsNone = granted === 'draft' || granted === 'pending' || (granted === 'trash' && before !== undefined)
  if (date === null) return { status: granted, publishedAt: needsNone ? null : about.now }
  return {
    status: granted,
    publishedAt: granted === 'publish' && isWithinTolerance(date, about.now) ? about.now : date
  }
}

const isWithinTolerance = (date: Date, now: Date) => date > now && date.getTime() - now.getTime() <= toleranceMs

/** Undefined if both dates are unchanged: clients send back both as they read them, or change one. */
function findChangedDate(
  values: PublicationValues,
  before: OwnedPost | undefined,
  about: ParseContext
): Date | null | undefined {
  const shown = before === undefined ? {} : toShownDates(before, about.zone)
  const isNew = (name: 'date' | 'date_utc') => values[name] !== undefined && values[name] !== shown[name]
  const name = isNew('date') ? 'date' : isNew('date_utc') ? 'date_utc' : undefined
  if (name === undefined) return undefined
  const value = values[name] ?? null
  if (value === null) return null
  const moment = parseDateTime(value, name === 'date' ? about.zone : 'UTC', about.now)
  if (moment === undefined) {
    throw newInvalidParamProblem(name, 'date', buildText('calendar-problems', 'date'))
  }
  return moment.instant
}

function toShownDates(
  { publishedAt, createdAt }: OwnedPost,
  zone: string
): Pick<PublicationValues, 'date' | 'date_utc'> {
  if (publishedAt !== null) {
    const known = new Date(publishedAt)
    return { date: toLocal(known, zone), date_utc: toLocal(known, 'UTC') }
  }
  return { ...(createdAt === undefined ? {} : { date: toLocal(new Date(createdAt), zone) }), date_utc: null }
}
