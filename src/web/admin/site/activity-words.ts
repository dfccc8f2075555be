import type { Activity } from '#platform/activity/schema.ts'
import type { Language } from '#platform/language.ts'
import { counted, money } from '../../format.ts'
import { activityWords } from '../../text/activity.ts'
import type { Desk } from '../console.ts'

/** What happened to a thing, in a word; undefined where there is none yet. */
export function verbOf(language: Language, action: string): string | undefined {
  const { verbs } = activityWords[language]
  return verbs[action] ?? verbs[action.slice(action.indexOf('.') + 1)]
}

/** Names of what the record knows by number only. */
export interface Names {
  events: Map<string, string>
  campaigns: Map<string, string>
}

/** What happened, as somebody would tell it: Anna changed the event Summer concert. */
export function sentenceOf({ language, site }: Desk, activity: Activity, names: Names): string {
  const words = activityWords[language]
  const who = capital(actorOf(language, activity.actor))
  const { amount, campaignId, status } = activity.details
  const special = words.special[activity.action]
  if (special !== undefined) {
    const campaign = names.campaigns.get(String(campaignId ?? '')) ?? ''
    const given = typeof amount === 'number' ? money(language, site.currency, amount, true) : ''
    const name = activity.subject === 'donation' ? words.of(given, campaign) : nameOf(activity, names)
    return special(who, name, words.statuses[String(status)] ?? String(status ?? ''))
  }
  const verb = activity.action.slice(activity.action.indexOf('.') + 1)
  return words.sentence(
    who,
    words.done[verb] ?? verb,
    words.the[activity.subject] ?? activity.subject,
    nameOf(activity, names)
  )
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function nameOf({ subject, subjectId, details }: Activity, { events, campaigns }: Names): string {
  const written = details.name ?? details.title ?? details.host
  if (typeof written === 'string' && written !== '') return written
  const known = subject === 'event' ? events : subject === 'campaign' ? campaigns : undefined
  return known?.get(subjectId) ?? subjectId
}

/** Anna, for `user 5 (Anna)`; keys are called keys. */
export function actorOf(language: Language, actor: string): string {
  const words = activityWords[language]
  const person = /^user \d+ \((.*)\)$/s.exec(actor)?.[1]
  if (person !== undefined) return person
  const key = /^key \d+ \((.*)\)$/s.exec(actor)?.[1]
  return key === undefined ? (words.actors[actor] ?? actor) : words.key(key)
}

/** What else is known: which fields, which account, how many. */
export function detailsOf({ language }: Desk, { details }: Activity): string {
  const words = activityWords[language]
  const fields = details.fields ?? details.changed
  return [
    Array.isArray(fields) && fields.length > 0 ? `${words.fields}: ${fields.join(', ')}` : '',
    details.accountAfter === undefined ? '' : `${words.account}: ${details.accountBefore} → ${details.accountAfter}`,
    typeof details.askedBy === 'string' ? `${words.askedBy}: ${actorOf(language, details.askedBy)}` : '',
    typeof details.network === 'string' ? `${words.network}: ${details.network}` : '',
    typeof details.count === 'number' ? counted(language, details.count, ...words.count) : ''
  ]
    .filter(text => text !== '')
    .join('; ')
}

const folders: Record<string, string> = {
  event: '/admin/events',
  venue: '/admin/venues',
  organizer: '/admin/organizers',
  campaign: '/admin/campaigns',
  user: '/admin/users',
  webhook: '/admin/webhooks',
  import: '/admin/imports',
  statement: '/admin/statements'
}

/** Where it can be seen, if it is still there. */
export function placeOf({ subject, subjectId, action }: Activity): string | undefined {
  if (subject === 'site') return '/admin/settings'
  if (subject === 'key') return '/admin/keys'
  if (subject === 'backup') return '/admin/data'
  const isGone = /\.(?:deleted|removed)$/.test(action)
  const folder = folders[subject]
  return folder === undefined || isGone ? undefined : `${folder}/${encodeURIComponent(subjectId)}`
}
