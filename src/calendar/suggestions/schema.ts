import { isEmailAddress, normalizeEmail } from '#platform/email-address.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { Cost } from '../content/cost.ts'
import {
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues,
  withDescription
} from '../contract/param-definition.ts'
import {
  newBoolFilterParam,
  newEnumParam,
  newNonEmptyTextParam,
  newOptionalIdParam,
  newTextParam,
  newUrlParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { suggestionStates } from '../contract/suggestion-shapes.ts'
import { eventChangeParams, eventFields } from '../events/schema.ts'
import { mapParam, newTextLineParam } from '../linked-posts/schema.ts'

/** Strangers write less than editors. */
export const suggestionLengths = {
  title: 200,
  description: 10_000,
  line: 200,
  email: 254,
  message: 2000,
  answer: 2000,
  reason: 500
} as const

const limitLine = (line: Param<string>): Param<string> => ({
  ...mapParam(line, text =>
    text.length <= suggestionLengths.line
      ? text
      : new ParamError('too-long', buildText('calendar-rules', 'lineTooLong', { line: suggestionLengths.line }))
  ),
  schema: { ...line.schema, maxLength: suggestionLengths.line }
})

const emailParam: Param<string> = newParam(
  { type: 'string', format: 'email', maxLength: suggestionLengths.email },
  'Email address of the sender. Only editors see it.',
  given =>
    typeof given === 'string' && given.trim().length <= suggestionLengths.email && isEmailAddress(given.trim())
      ? normalizeEmail(given.trim())
      : new ParamError('email', buildText('calendar-rules', 'email'))
)

/** Pages link to it, so only addresses of web pages. */
const websiteParam = mapParam(newUrlParam('URL of the website of the event.'), address =>
  address === '' || /^https?:/i.test(address) ? address : new ParamError('url', buildText('calendar-rules', 'url'))
)

/** What a visitor sends. There is no image. */
export const suggestionFields = {
  title: makeRequired(newNonEmptyTextParam('The title.', suggestionLengths.title)),
  description: newTextParam('The description, HTML without images; at most 5 links.', suggestionLengths.description),
  start_date: eventFields.start_date,
  end_date: withDescription(eventFields.end_date, 'End, in the same formats; default: the start.', { required: false }),
  all_day: eventFields.all_day,
  timezone: eventFields.timezone,
  venue: newOptionalIdParam('Id of a public venue.'),
  venue_name: limitLine(newTextLineParam('Name of the venue, if it is not in the list.')),
  venue_address: limitLine(newTextLineParam('Address of that venue.')),
  organizer: limitLine(newTextLineParam('Name of the organizer.')),
  website: websiteParam,
  cost: eventFields.cost,
  category: newOptionalIdParam('Id of a category.'),
  sender_name: limitLine(newTextLineParam('Name of the sender. Only editors see it.')),
  sender_email: makeRequired(emailParam),
  message: newTextParam('Message to the editors, plain text.', suggestionLengths.message),
  homepage: newTextParam('Must be empty (honeypot field).', 2000),
  proof_of_work: newTextParam('Solved challenge, if one is required (GET /suggestions/challenge).', 10_000)
}
export type SuggestionValues = ParamValues<typeof suggestionFields>

/** The suggested event, with the time resolved: words such as “tomorrow” mean the day on which they were sent. */
export interface SuggestedEvent {
  title: string
  description: string
  start_date: string
  end_date: string
  all_day: boolean
  timezone: string
  venue: number | null
  venue_name: string
  venue_address: string
  organizer: string
  website: string
  cost: Cost | null
  category: number | null
}

export const confirmationParams = {
  token: makeRequired(newNonEmptyTextParam('Token from the link in the email.', 100))
}

export const suggestionFilters = {
  state: withDescription(newEnumParam('', suggestionStates), 'State; default: open.', { default: 'open' }),
  email: newNonEmptyTextParam('Only suggestions of this sender, in any state unless `state` is given.', 254),
  with_duplicates: newBoolFilterParam('Include possible duplicates.')
}
export const suggestionListParams = { ...pagingParams, ...suggestionFilters }

const { status: _, ...changedFields } = eventChangeParams
/** Fields of the event to change while it is accepted; the status is always publish. */
export const acceptParams = changedFields

export const declineParams = {
  reason: newTextParam('Note for editors.', suggestionLengths.reason),
  message: newTextParam('Text of the email to the sender.', suggestionLengths.answer)
}
