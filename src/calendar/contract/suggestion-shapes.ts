import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { buildChoiceSchema, eventSchema, languageSchema } from './shapes.ts'

const Instant = Type.String({ format: 'date-time' })

/** The states of a suggestion that editors see. */
export const suggestionStates = ['open', 'accepted', 'declined'] as const

/** An event in the calendar that may be the suggested one. */
const duplicateSchema = NamedObject('SuggestionDuplicate', {
  id: Type.Integer(),
  title: Type.String(),
  start_date: Type.String(),
  status: Type.String(),
  because: buildChoiceSchema(['title', 'venue'], 'A similar title on the same day, or the same venue at the same time.')
})
export type DuplicateJson = Static<typeof duplicateSchema>

/** A suggestion as editors see it. */
export const suggestionSchema = NamedObject('Suggestion', {
  id: Type.Integer(),
  state: buildChoiceSchema(suggestionStates),
  created_at: Instant,
  queued_at: Nullable(Instant, { description: 'When it was added to the queue.' }),
  decided_at: Nullable(Instant),
  decided_by: Type.String(),
  reason: Type.String({ description: 'Note of the editors about the decision.' }),
  answer: Type.String({ description: 'Text of the email to the sender.' }),
  sender: Nullable(
    Type.Object({
      name: Type.String(),
      email: Type.String(),
      is_confirmed: Type.Boolean({ description: 'Whether the sender has confirmed the email address.' })
    }),
    { description: 'Null after the data of the sender was erased.' }
  ),
  message: Type.String({ description: 'Message to the editors, plain text.' }),
  language: languageSchema,
  event: Nullable(eventSchema, { description: 'The event: pending, until the suggestion is accepted.' }),
  duplicates: Type.Optional(
    Type.Array(duplicateSchema, { description: 'Possible duplicates; with `with_duplicates`.' })
  )
})
export type SuggestionJson = Static<typeof suggestionSchema>

/** What a sender gets. */
export const suggestionReceiptSchema = NamedObject('SuggestionReceipt', {
  state: buildChoiceSchema(['unconfirmed', 'open'], 'unconfirmed: a link in an email has to be used first.')
})
export type SuggestionReceiptJson = Static<typeof suggestionReceiptSchema>
