import type { Activity } from '#platform/activity/schema.ts'
import type { Language } from '#platform/language.ts'
import { formatCount, formatMoney } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { activityStrings } from './strings.ts'

/** The verb for an action; undefined for actions that have none yet. */
export function findVerb(language: Language, action: string): string | undefined {
  const { verbs } = activityStrings[language]
  return verbs[action] ?? verbs[action.slice(action.indexOf('.') + 1)]
}

/** Names of subjects that the activity log stores by id only. */
export interface ActivityNames {
  events: Map<string, string>
  campaigns: Map<string, string>
}

/** Describes an entry as a sentence: Anna changed the event Summer concert. */
export function describeActivity({ language, site }: AdminContext, activity: Activity, names: ActivityNames): string {
  const strings = activityStrings[language]
  const who = capitalize(formatActor(language, activity.actor))
  const { amount, campaignId, status } = activity.details
  const special = strings.special[activity.action]
  if (special !== undefined) {
    const campaign = names.campaigns.get(String(campaignId ?? '')) ?? ''
    const given = typeof amount === 'number' ? formatMoney(language, site.currency, amount, true) : ''
    const name = activity.subject === 'donation' ? strings.of(given, campaign) : getSubjectName(activity, names)
    return special(who, name, strings.statuses[String(status)] ?? String(status ?? ''))
  }
  const verb = activity.action.slice(activity.action.indexOf('.') + 1)
  return strings.sentence(
    who,
    strings.done[verb] ?? verb,
    strings.the[activity.subject] ?? activity.subject,
    getSubjectName(activity, names)
  )
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function getSubjectName({ subject, subjectId, details }: Activity, { events, campaigns }: ActivityNames): string {
  const written = details.name ?? details.title ?? details.host
  if (typeof written === 'string' && written !== '') return written
  const known = subject === 'event' ? events : subject === 'campaign' ? campaigns : undefined
  return known?.get(subjectId) ?? subjectId
}

/** `user 5 (Anna)` becomes Anna; API keys and subscriptions are called by what they are. */
export function formatActor(language: Language, actor: string): string {
  const strings = activityStrings[language]
  const person = /^user \d+ \((.*)\)$/s.exec(actor)?.[1]
  if (person !== undefined) return person
  const subscription = /^subscription (\d+)$/.exec(actor)?.[1]
  if (subscription !== undefined) return strings.subscription(subscription)
  const key = /^key \d+ \((.*)\)$/s.exec(actor)?.[1]
  return key === undefined ? (strings.actors[actor] ?? actor) : strings.key(key)
}

/** Further details: changed fields, account, count. */
export function formatDetails({ language }: AdminContext, { details }: Activity): string {
  const strings = activityStrings[language]
  const fields = details.fields ?? details.changed
  return [
    Array.isArray(fields) && fields.length > 0 ? `${strings.fields}: ${fields.join(', ')}` : '',
    details.accountAfter === undefined ? '' : `${strings.account}: ${details.accountBefore} → ${details.accountAfter}`,
    typeof details.askedBy === 'string' ? `${strings.askedBy}: ${formatActor(language, details.askedBy)}` : '',
    typeof details.network === 'string' ? `${strings.network}: ${details.network}` : '',
    typeof details.count === 'number' ? formatCount(language, details.count, ...strings.count) : ''
  ]
    .filter(text => text !== '')
    .join('; ')
}

const folders: Record<string, string> = {
  event: '/admin/events',
  venue: '/admin/venues',
  organizer: '/admin/organizers',
  campaign: '/admin/campaigns',
  page: '/admin/pages',
  user: '/admin/users',
  webhook: '/admin/webhooks',
  import: '/admin/imports',
  subscription: '/admin/subscriptions',
  suggestion: '/admin/suggestions',
  statement: '/admin/statements'
}

/** Admin page of the subject, if it still exists. */
export function findActivityPath({ subject, subjectId, action }: Activity): string | undefined {
  if (subject === 'site') return '/admin/settings'
  if (subject === 'key') return '/admin/keys'
  if (subject === 'backup') return '/admin/data'
  const isGone = /\.(?:deleted|removed)$/.test(action)
  const folder = folders[subject]
  return folder === undefined || isGone ? undefined : `${folder}/${encodeURIComponent(subjectId)}`
}
