import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'
import type { Rule } from '../http/validation.ts'
import { buildText } from '../messages/messages.ts'
import { canParseUrl } from '../url/parse-url.ts'

/** Matches every action, also those added later. */
export const allActions = '*'

const Instant = Type.String({ format: 'date-time' })

export const Webhook = NamedObject('Webhook', {
  id: Type.Integer(),
  url: Type.String(),
  actions: Type.Array(Type.String(), { description: 'Actions that are sent, or only *.' }),
  description: Type.String(),
  isOn: Type.Boolean(),
  failingSince: Nullable(Instant, { description: 'Start of the current series of failures; null if there is none.' }),
  switchedOffAt: Nullable(Instant, {
    description: 'When it was disabled automatically, after three days of failures or a 410 response.'
  }),
  lastDeliveredAt: Nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant
})
export type Webhook = Static<typeof Webhook>

const Secret = Type.String({ description: 'Signing secret, starting with whsec_. Returned once.' })

export const NewSecret = NamedObject('NewSecret', { secret: Secret })
export const CreatedWebhook = NamedObject('CreatedWebhook', { ...Webhook.properties, secret: Secret })
export type CreatedWebhook = Static<typeof CreatedWebhook>

const Url = Type.String({
  receiver: true,
  maxLength: 2000,
  description: 'URL that messages are sent to (http or https).',
  examples: ['https://example.org/hooks/kalends']
})
const Description = Type.String({ line: true, maxLength: 500, description: 'Purpose of the webhook.' })
const IsOn = Type.Boolean({
  description: 'While disabled, no new messages are queued. Once enabled again, queued messages are sent.'
})

/** The known actions depend on the services of the process. */
export function buildInputSchemas(known: string[]) {
  const Actions = Type.Array(Type.Enum([...known, allActions]), {
    description: 'Actions to send: at least one, or * for all.',
    examples: [[known.at(-1) ?? allActions]]
  })
  return {
    NewWebhook: NamedObject('NewWebhook', { url: Url, actions: Actions, description: Type.Optional(Description) }),
    WebhookChanges: NamedObject('WebhookChanges', {
      url: Type.Optional(Url),
      actions: Type.Optional(Actions),
      description: Type.Optional(Description),
      isOn: Type.Optional(IsOn)
    })
  }
}

export interface NewWebhook {
  url: string
  actions: string[]
  description?: string
}
export type WebhookChanges = Partial<NewWebhook> & { isOn?: boolean }

export const Action = NamedObject('Action', {
  action: Type.String(),
  subject: Type.String(),
  description: Type.String()
})

/** Validates the form of a URL. Whether we may connect to its address is checked when connecting. */
export const webhookRules: Rule[] = [
  {
    keyword: 'receiver',
    type: 'string',
    check: (given: string) => {
      const url = parseReceiverUrl(given.trim())
      if (url !== undefined) return { value: url }
      return {
        code: 'web-address',
        message: buildText('webhook-problems', 'url')
      }
    }
  }
]

function parseReceiverUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || /[\s\p{Cc}\p{Cf}"'<>\\^`{|}]/u.test(text) || !canParseUrl(text)) return undefined
  const { username, password, href } = new URL(text)
  return username === '' && password === '' ? href : undefined
}
