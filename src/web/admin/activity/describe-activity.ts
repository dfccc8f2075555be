import type { Activity } from '#platform/activity/schema.ts'
import type { Language } from '#platform/language.ts'
import { findText, formatMessage, getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'

/** The verb for an action; undefined for actions that have none yet. */
export function findVerb(language: Language, action: string): string | undefined {
  const { verbs } = getMessages('activity', language)
  return findText(verbs, action) ?? findText(verbs, action.slice(action.indexOf('.') + 1))
}

/** Names of subjects that the activity log stores by id only. */
export interface ActivityNames {
  events: Map<string, string>
  campaigns: Map<string, string>
}

/** Describes an entry as a sentence: Anna changed the event Summer concert. */
export function describeActivity({ language, site }: AdminContext, activity: Activity, names: ActivityNames): string {
  const strings = getMessages('activity', language)
  const who = capitalize(formatActor(language, activity.actor))
  const { amount, campaignId, status } = activity.details
  const campaign = names.campaigns.get(String(campaignId ?? '')) ?? ''
  const given = typeof amount === 'number' ? formatMoney(language, site.currency, amount, true) : ''
  const name =
    activity.subject === 'donation'
      ? strings.of({ hasAmount: given !== '', amount: given, hasCampaign: campaign !== '', campaign })
      : getSubjectName(activity, names)
  const reached = findText(strings.statuses, String(status)) ?? String(status ?? '')
  const special = formatMessage(strings.special, activity.action, { who, name, status: reached })
  if (special !== undefined) return special
  const verb = activity.action.slice(activity.action.indexOf('.') + 1)
  const what = [findText(strings.the, activity.subject) ?? activity.subject, getSubjectName(activity, names)]
  return strings.sentence({
    who,
    verb: findText(strings.done, verb) ?? verb,
    what: what.filter(part => part !== '').join(' ')
  })
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
  const strings = getMessages('activity', language)
  const person = /^user \d+ \((.*)\)$/s.exec(actor)?.[1]
  if (person !== undefined) return person
  const subscription = /^subscription (\d+)$/.exec(actor)?.[1]
  if (subscription !== undefined) return strings.subscription({ id: subscription })
  const key = /^key \d+ \((.*)\)$/s.exec(actor)?.[1]
  return key === undefined ? (findText(strings.actors, actor) ?? actor) : strings.key({ name: key })
}

/** Further details: changed fields, account, count. */
export function formatDetails(context: AdminContext, { details }: Activity): string {
  const { language } = context
  const strings = getMessages('activity', language)
  const fields = details.fields ?? details.changed
  return [
    Array.isArray(fields) && fields.length > 0
      ? `${strings.fields}: ${fields.map(field => formatChange(context, String(field), details.changes)).join('; ')}`
      : '',
    details.accountAfter === undefined ? '' : `${strings.account}: ${details.accountBefore} → ${details.accountAfter}`,
    typeof details.askedBy === 'string' ? `${strings.askedBy}: ${formatActor(language, details.askedBy)}` : '',
    typeof details.network === 'string' ? `${strings.network}: ${details.network}` : '',
    typeof details.count === 'number' ? strings.count({ count: details.count }) : ''
  ]
    .filter(text => text !== '')
    .join('; ')
}

/** The label of a field, with the values before and after where the log has them. */
function formatChange(context: AdminContext, field: string, changes: unknown): string {
  const label = findText(getMessages('activity', context.language).fieldLabels, field) ?? field
  const values = (changes as Record<string, unknown> | undefined)?.[field]
  if (!Array.isArray(values)) return label
  const [before, after] = values.map(value => formatValue(context, value))
  return `${label} ${before} → ${after}`
}

function formatValue({ language, site }: AdminContext, value: unknown): string {
  const strings = getMessages('activity', language).values
  if (value === null || value === '') return strings.empty
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (typeof value === 'number') return formatNumber(language, value)
  const text = String(value)
  // Events have local times, campaigns instants.
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/.test(text))
    return formatDateTime(language, `${text.replace(' ', 'T')}Z`, 'UTC')
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatDateTime(language, text, site.timezone)
  return `“${text}”`
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
