import type { Language } from '#platform/language.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { counted } from '../../format.ts'
import { activityWords } from '../../text/activity.ts'
import { webhookWords } from '../../text/webhooks.ts'
import { verbOf } from '../site/activity-words.ts'

/** What a webhook is called: what it is for, else where it leads. */
export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === '' ? withoutScheme(url) : description
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

export type State = 'working' | 'failing' | 'off' | 'fresh'

export const lookOfState: Record<State, string> = { working: 'good', failing: 'bad', off: 'plain', fresh: 'plain' }

export function stateOf({ isOn, failingSince, lastDeliveredAt }: Webhook): State {
  if (!isOn) return 'off'
  if (failingSince !== null) return 'failing'
  return lastDeliveredAt === null ? 'fresh' : 'working'
}

/** Donation: created, for `donation.created`. */
export function actionName(language: Language, action: string): string {
  const subject = action.slice(0, action.indexOf('.'))
  const { subjects } = activityWords[language]
  const done = action === 'webhook.test' ? webhookWords[language].testAction : (verbOf(language, action) ?? action)
  return `${capital(subjects[subject] ?? subject)}: ${done}`
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** A few are named, many are counted. */
const namedMax = 3

export function listensTo(language: Language, actions: string[]): string {
  const words = webhookWords[language]
  if (actions.includes('*')) return words.everything
  if (actions.length <= namedMax) return actions.map(action => actionName(language, action)).join(', ')
  return counted(language, actions.length, ...words.things)
}

/** Why no answer came, in words. */
export function errorName(language: Language, error: string | null): string {
  const words = webhookWords[language]
  return error === null ? words.noAnswer : (words.errors[error] ?? error)
}
