import { getMessages } from '#platform/messages/messages.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { formatDateTime } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { getWebhookName } from './webhook-format.ts'
import { menu } from './webhook-paths.ts'

/** Dashboard notice about webhooks that fail, or were disabled because they failed. */
export function WebhookNotices({ context, webhooks }: { context: AdminContext; webhooks: Webhook[] }) {
  const { language, site } = context
  const strings = getMessages('webhook', language).notice
  return (
    <>
      {webhooks.map(webhook => {
        const { id, isOn, failingSince, switchedOffAt } = webhook
        const isFailing = isOn && failingSince !== null
        if (!isFailing && (isOn || switchedOffAt === null)) return null
        return (
          <p key={id} class={`notice ${isFailing ? 'warn' : 'bad'}`}>
            {isFailing
              ? strings.failing({
                  name: getWebhookName(webhook),
                  since: formatDateTime(language, failingSince, site.timezone)
                })
              : strings.off({ name: getWebhookName(webhook) })}{' '}
            <a href={`${menu}/${id}`}>{strings.look}</a>
          </p>
        )
      })}
    </>
  )
}
