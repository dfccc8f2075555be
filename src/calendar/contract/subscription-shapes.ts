import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { type Language, languages } from '#platform/language.ts'
import { buildChoiceSchema } from './shapes.ts'

const Instant = Type.String({ format: 'date-time' })

const runCountsSchema = NamedObject('SubscriptionCounts', {
  new: Type.Integer(),
  changed: Type.Integer(),
  same: Type.Integer(),
  conflict: Type.Integer({ description: 'Changed at the source and edited here; the edited fields were kept.' }),
  gone: Type.Integer({ description: 'Upcoming events that are no longer at the source.' }),
  restored: Type.Integer({ description: 'Events that were gone and are at the source again.' }),
  skipped: Type.Integer(),
  problem: Type.Integer()
})

const runResult = buildChoiceSchema(
  ['running', 'changed', 'unchanged', 'failed', 'stopped'],
  '`stopped`: the calendar looked damaged and was not applied.'
)

/** A calendar at another address that is read again and again. */
export const subscriptionSchema = NamedObject('Subscription', {
  id: Type.Integer(),
  url: Type.String(),
  name: Type.String({ description: 'The given name, or that of the calendar, or its host.' }),
  own_name: Type.String({ description: 'The given name; empty if none was given.' }),
  source: Type.Unsafe<'ical' | 'tec' | null>({
    type: ['string', 'null'],
    enum: ['ical', 'tec', null],
    description: 'Format of the calendar; null until it has been fetched once.'
  }),
  every: Nullable(Type.Integer(), { description: 'Minutes between two fetches; null: as set by the calendar.' }),
  interval: Type.Integer({ description: 'Current interval in minutes.' }),
  category: Nullable(Type.Integer(), { description: 'Category of new events.' }),
  gone: buildChoiceSchema(['keep', 'cancel', 'trash']),
  status: buildChoiceSchema(['publish', 'pending'], 'Status of new events.'),
  language: buildChoiceSchema<Language>([...languages], 'Language of texts without one.'),
  timezone: Type.String({ description: 'Time zone of times without one.' }),
  is_paused: Type.Boolean(),
  matches_titles: Type.Boolean({
    description: 'Events whose ids at the source have changed are recognised by title and start.'
  }),
  problem: Type.Unsafe<'failing' | 'empty' | 'many-gone' | 'ids-changed' | 'own-calendar' | null>({
    type: ['string', 'null'],
    enum: ['failing', 'empty', 'many-gone', 'ids-changed', 'own-calendar', null],
    description:
      '`failing`: paused after seven days of failures. The others: the calendar was fetched but not applied, and waits for a decision (`apply`).'
  }),
  error: Nullable(Type.String(), { description: 'Problem, in the language of the request.' }),
  failures: Type.Integer({ description: 'Consecutive failed fetches.' }),
  last_run_at: Nullable(Instant),
  last_result: Type.Unsafe<Static<typeof runResult> | null>({
    type: ['string', 'null'],
    enum: ['running', 'changed', 'unchanged', 'failed', 'stopped', null]
  }),
  last_counts: Type.Optional(runCountsSchema),
  next_run_at: Nullable(Instant, { description: 'Null while it is paused or waits for a decision.' }),
  counts: Type.Object({
    events: Type.Integer({ description: 'Events at the source.' }),
    conflicts: Type.Integer({ description: 'Events with an open conflict.' }),
    gone: Type.Integer({ description: 'Events that are no longer at the source.' })
  }),
  author: Type.String({ description: 'Id of the user or API key.' }),
  author_name: Type.String(),
  created_at: Instant,
  modified_at: Instant
})
export type SubscriptionJson = Static<typeof subscriptionSchema>

const subscriptionRunSchema = NamedObject('SubscriptionRun', {
  id: Type.Integer(),
  result: runResult,
  times: Type.Integer({ description: 'Runs in a row with this result.' }),
  counts: runCountsSchema,
  error: Nullable(Type.String(), { description: 'In the language of the request.' }),
  started_at: Instant,
  finished_at: Nullable(Instant)
})
export type SubscriptionRunJson = Static<typeof subscriptionRunSchema>

/** A page of the runs of a subscription. */
export const subscriptionRunsSchema = NamedObject('SubscriptionRunList', {
  runs: Type.Array(subscriptionRunSchema),
  total: Type.Integer(),
  total_pages: Type.Integer()
})

const subscriptionRowSchema = NamedObject('SubscriptionRow', {
  position: Type.Integer(),
  kind: buildChoiceSchema(['event', 'venue', 'organizer', 'category', 'tag', 'image', 'file']),
  source_id: Type.String(),
  title: Type.String(),
  outcome: buildChoiceSchema(['new', 'changed', 'conflict', 'gone', 'restored', 'skipped', 'problem']),
  reasons: Type.Array(Type.String(), { description: 'In the language of the request.' }),
  item_id: Nullable(Type.Integer())
})
export type SubscriptionRowJson = Static<typeof subscriptionRowSchema>

/** A page of the report of a run. */
export const subscriptionRowsSchema = NamedObject('SubscriptionReport', {
  rows: Type.Array(subscriptionRowSchema),
  total: Type.Integer(),
  total_pages: Type.Integer()
})

const subscribedEventSchema = NamedObject('SubscribedEvent', {
  id: Type.Integer(),
  title: Type.String(),
  start_date: Type.String(),
  status: Type.String(),
  source_id: Type.String({ description: 'Its id at the source.' }),
  gone_at: Nullable(Instant, { description: 'When it was found to be gone at the source.' }),
  gone_action: Type.Unsafe<'keep' | 'cancel' | 'trash' | null>({
    type: ['string', 'null'],
    enum: ['keep', 'cancel', 'trash', null],
    description: 'Action taken.'
  }),
  conflicts: Type.Array(
    NamedObject('FieldConflict', {
      field: Type.String({ description: 'A field of events; a text with its language, such as `title.en`.' }),
      name: Type.String({ description: 'The field in words, in the language of the request.' }),
      here: Type.String(),
      theirs: Type.String()
    })
  )
})
export type SubscribedEventJson = Static<typeof subscribedEventSchema>

/** A page of the events of a subscription. */
export const subscribedEventsSchema = NamedObject('SubscribedEventList', {
  events: Type.Array(subscribedEventSchema),
  total: Type.Integer(),
  total_pages: Type.Integer()
})
