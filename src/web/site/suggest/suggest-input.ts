import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { isDay } from '../calendar/dates.ts'

const textFields = [
  'title',
  'description',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
  'venue',
  'venueName',
  'venueAddress',
  'organizer',
  'website',
  'cost',
  'category',
  'senderName',
  'senderEmail',
  'message'
] as const

export type SuggestField = (typeof textFields)[number]

/** Input of the form, as typed. */
export type SuggestInput = Record<SuggestField, string> & { allDay: boolean }

export function newSuggestInput(startDate = ''): SuggestInput {
  const empty = Object.fromEntries(textFields.map(name => [name, ''])) as Record<SuggestField, string>
  return { ...empty, startDate: isDay(startDate) ? startDate : '', allDay: false }
}

export function parseSuggestInput(context: Pick<PageContext, 'form'>): SuggestInput {
  const typed = Object.fromEntries(textFields.map(name => [name, getFormField(context, name)]))
  return { ...(typed as Record<SuggestField, string>), allDay: getFormField(context, 'allDay') !== '' }
}

export type SuggestErrors = Partial<Record<SuggestField, string>>

const isTime = (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)

/** Browsers without a date field send what people write: 31.5.2027 is 2027-05-31. */
function parseDay(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? []
  return year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The request body for the API, or errors by field. The API checks everything else. */
export function toSuggestion(typed: SuggestInput, language: Language): { body: object } | { errors: SuggestErrors } {
  const { wrong } = getMessages('suggest', language)
  const errors: SuggestErrors = {}
  const { allDay, startTime, endTime } = typed
  const startDate = parseDay(typed.startDate)
  const endDate = typed.endDate === '' ? startDate : parseDay(typed.endDate)
  if (typed.title === '') errors.title = wrong.title
  if (!isDay(startDate)) errors.startDate = wrong.startDate
  if (!allDay && !isTime(startTime)) errors.startTime = wrong.startTime
  if (typed.endDate !== '' && (!isDay(endDate) || endDate < startDate)) errors.endDate = wrong.endDate
  const isEndTimeWrong =
    endTime === '' ? endDate !== startDate : !isTime(endTime) || `${endDate} ${endTime}` < `${startDate} ${startTime}`
  if (!allDay && isEndTimeWrong) errors.endTime = wrong.endTime
  if (typed.senderEmail === '') errors.senderEmail = wrong.senderEmail
  if (Object.keys(errors).length > 0) return { errors }
  return {
    body: {
      title: typed.title,
      description: toParagraphs(typed.description),
      start_date: allDay ? startDate : `${startDate} ${startTime}:00`,
      end_date: allDay ? endDate : `${endDate} ${endTime === '' ? startTime : endTime}:00`,
      all_day: allDay,
      venue: typed.venue === '' ? null : typed.venue,
      venue_name: typed.venueName,
      venue_address: typed.venueAddress,
      organizer: typed.organizer,
      website: typed.website,
      cost: typed.cost,
      category: typed.category === '' ? null : typed.category,
      sender_name: typed.senderName,
      sender_email: typed.senderEmail,
      message: typed.message,
      language
    }
  }
}

/** The form takes plain text, the API takes HTML. */
function toParagraphs(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const fieldsByParam: Record<string, SuggestField> = {
  title: 'title',
  description: 'description',
  start_date: 'startDate',
  end_date: 'endDate',
  venue: 'venue',
  venue_name: 'venueName',
  venue_address: 'venueAddress',
  organizer: 'organizer',
  website: 'website',
  cost: 'cost',
  category: 'category',
  sender_name: 'senderName',
  sender_email: 'senderEmail',
  message: 'message'
}

const generalErrors: Record<string, keyof Messages<'suggest'>['wrong']> = {
  'too-many-suggestions': 'queueFull',
  'proof-of-work': 'proof',
  'idempotency-key-reused': 'usedBefore',
  'idempotency-key-of-another-network': 'usedBefore'
}

/** Maps an API error to the form's messages. */
export function toSuggestErrors(
  error: unknown,
  language: Language
): { status: number; errors: SuggestErrors; general?: string } {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 404) throw error
  const { wrong } = getMessages('suggest', language)
  if (error.code === 'too-many-from-sender') return { status: 429, errors: { senderEmail: wrong.tooManyFromSender } }
  const general = generalErrors[error.code] ?? (error.status === 429 ? 'tooMany' : undefined)
  if (general !== undefined) return { status: error.status, errors: {}, general: wrong[general] }
  const errors: SuggestErrors = {}
  for (const param of Object.keys(error.fields)) {
    const field = fieldsByParam[param]
    if (field !== undefined) errors[field] = wrong[field]
  }
  return Object.keys(errors).length > 0 ? { status: 422, errors } : { status: 422, errors: {}, general: wrong.refused }
}
