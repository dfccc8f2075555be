import type { Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { findVerb } from '../activity/describe-activity.ts'

/** Display name of a webhook: its description, else its URL. */
export function getWebhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === '' ? stripScheme(url) : description
}

export function stripScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

export type WebhookState = 'working' | 'failing' | 'off' | 'fresh'

export const stateBadgeClasses: Record<WebhookState, string> = {
  working: 'good',
  failing: 'bad',
  off: 'plain',
  fresh: 'plain'
}

export function getWebhookState({ isOn, failingSince, lastDeliveredAt }: Webhook): WebhookState {
  if (!isOn) return 'off'
  if (failingSince !== null) return 'failing'
  return lastDeliveredAt === null ? 'fresh' : 'working'
}

/** `donation.created` becomes Donation: created. */
export function formatAction(language: Language, action: string): string {
  const subject = action.slice(0, action.indexOf('.'))
  const { subjects } = getMessages('activity', language)
  const done =
    action === 'webhook.test' ? getMessages('webhook', language).testAction : (findVerb(language, action) ?? action)
  return `${capitalize(findText(subjects, subject) ?? subject)}: ${done}`
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Up to this many actions are named, more are counted. */
const namedMax = 3

export function formatActions(language: Language, actions: string[]): string {
  const strings = getMessages('webhook', language)
  if (actions.includes('*')) return strings.everything
  if (actions.length <= namedMax) return actions.map(action => formatAction(language, action)).join(', ')
  return strings.things({ count: actions.length })
}

/** Why the request got no response. */
export function formatDeliveryError(language: Language, error: string | null): string {
  const strings = getMessages('webhook', language)
  return error === null ? strings.noAnswer : (findText(strings.errors, error) ?? error)
}
