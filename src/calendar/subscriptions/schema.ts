import type { Language, Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newTimezoneParam } from '../contract/date-params.ts'
import {
  makeOptional,
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues
} from '../contract/param-definition.ts'
import {
  newBoolFilterParam,
  newBoolParam,
  newEnumParam,
  newOptionalIdParam,
  newPositiveIntParam,
  newTextParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { httpUrlParam, type RowKind } from '../imports/schema.ts'
import { type GoneAction, goneActions } from './items/schema.ts'

/** Why a subscription waits for an editor. */
export const subscriptionProblems = ['failing', 'empty', 'many-gone', 'ids-changed', 'own-calendar'] as const
export type SubscriptionProblem = (typeof subscriptionProblems)[number]

export const runResults = ['running', 'changed', 'unchanged', 'failed', 'stopped'] as const
export type RunResult = (typeof runResults)[number]

export const rowOutcomes = ['new', 'changed', 'conflict', 'gone', 'restored', 'skipped', 'problem'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export type RunCounts = Record<RowOutcome | 'same', number>

export const noRunCounts: RunCounts = {
  new: 0,
  changed: 0,
  same: 0,
  conflict: 0,
  gone: 0,
  restored: 0,
  skipped: 0,
  problem: 0
}

/** A subscription as it is stored. */
export interface Subscription {
  id: number
  version: number
  url: string
  source: 'ical' | 'tec' | null
  name: string
  feedName: string | null
  everyMinutes: number | null
  feedMinutes: number | null
  categoryId: number | null
  gone: GoneAction
  status: 'publish' | 'pending'
  language: Language
  timezone: string
  authorId: number
  authorName: string
  isPaused: boolean
  matchesTitles: boolean
  problem: SubscriptionProblem | null
  isApproved: boolean
  error: Text | null
  etag: string | null
  lastModified: string | null
  contentHash: Buffer | null
  parsedAt: string | null
  failures: number
  failingSince: string | null
  nextRunAt: string | null
  lastRunAt: string | null
  createdAt: string
  modifiedAt: string
}

/** With what lists show besides. */
export interface ListedSubscription extends Subscription {
  eventCount: number
  conflictCount: number
  goneCount: number
  lastResult: RunResult | null
  lastCounts: RunCounts | null
}

export interface SubscriptionRun {
  id: number
  result: RunResult
  times: number
  counts: RunCounts
  error: Text | null
  startedAt: string
  finishedAt: string | null
}

export interface SubscriptionRow {
  position: number
  kind: Exclude<RowKind, 'series'>
  sourceId: string
  title: string
  outcome: RowOutcome
  reasons: Text[]
  itemId: number | null
}

/** More often would be impolite. */
export const everyMinutesMin = 15
const everyMinutesMax = 30 * 24 * 60
/** How often a calendar is read that does not say it itself. */
export const everyMinutesDefault = 6 * 60

const everyParam: Param<number | null> = newParam(
  { type: ['integer', 'null'], minimum: everyMinutesMin, maximum: everyMinutesMax },
  `Minutes between two fetches, ${everyMinutesMin} or more. Default: as set by the calendar (REFRESH-INTERVAL, X-PUBLISHED-TTL), otherwise ${everyMinutesDefault}. A longer interval of the calendar is respected.`,
  given => {
    if (given === null || given === '') return null
    const fits = typeof given === 'number' || (typeof given === 'string' && /^\s*\d{1,6}\s*$/.test(given))
    const minutes = fits ? Number(given) : Number.NaN
    if (Number.isInteger(minutes) && minutes >= everyMinutesMin && minutes <= everyMinutesMax) return minutes
    return new ParamError(
      'out-of-range',
      buildText('calendar-rules', 'everyMinutes', { everyMinutesMin, everyMinutesMax })
    )
  }
)

const fields = {
  every: everyParam,
  category: newOptionalIdParam('Category that new events get besides their own.'),
  gone: newEnumParam(
    'Action for upcoming events that are no longer at the source: `keep` them, `cancel` them (event_status canceled), or move them to the `trash`.',
    goneActions
  ),
  status: newEnumParam('Status of new events.', ['publish', 'pending'] as const),
  name: newTextParam('Name of the calendar; default: its own name.', 200),
  timezone: newTimezoneParam('Time zone of times without one; default: the time zone of the site.')
}

/** Always required: no subscription is without an address. */
const urlParam: Param<string> = newParam(
  { ...httpUrlParam.schema, type: 'string' },
  'URL of the calendar (iCalendar; also webcal:) or of a site with The Events Calendar. It must be public: no credentials are stored.',
  (given, about) => {
    const url = httpUrlParam.parse(given ?? '', about)
    if (url === null) return new ParamError('empty', buildText('calendar-rules', 'empty'))
    if (typeof url !== 'string') return url
    const { username, password } = new URL(url)
    if (username === '' && password === '') return url
    return new ParamError('credentials', buildText('calendar-rules', 'noPassword'))
  }
)

export const subscriptionParams = { url: makeRequired(urlParam), ...fields }
export type NewSubscription = ParamValues<typeof subscriptionParams>

export const subscriptionChangeParams = {
  ...makeOptional(subscriptionParams),
  is_paused: newBoolParam('Paused subscriptions are not fetched. Resuming fetches at once and resets the failures.')
}
export type SubscriptionChanges = ParamValues<typeof subscriptionChangeParams>

export const subscriptionFilters = {
  ...pagingParams,
  event: newPositiveIntParam('Only the subscription that this event comes from.'),
  stopped: newBoolFilterParam(
    'true: only subscriptions that are paused after failures or wait for a decision; false: the others.'
  )
}

export const subscriptionDeleteParams = {
  events: newEnumParam('What happens with its events: `keep` (default) or `trash`.', ['keep', 'trash'] as const)
}

export const applyParams = {
  how: makeRequired(
    newEnumParam(
      '`anyway`: apply the calendar as it is now. `match`: recognise events whose ids have changed by title and start, now and in future.',
      ['anyway', 'match'] as const
    )
  )
}

export const runFilters = pagingParams

export const reportFilters = {
  ...pagingParams,
  run: newPositiveIntParam('The run; default: the last one that changed something.'),
  outcome: newEnumParam('Only rows with this outcome.', rowOutcomes)
}

export const subscribedEventFilters = {
  ...pagingParams,
  state: newEnumParam('`conflict`: edited here and changed at the source. `gone`: no longer at the source.', [
    'conflict',
    'gone'
  ] as const)
}

export const resolveParams = {
  event: makeRequired(newPositiveIntParam('The event.')),
  take: makeRequired(
    newEnumParam('`theirs` writes the values of the source, `here` keeps those of this calendar.', [
      'theirs',
      'here'
    ] as const)
  )
}
