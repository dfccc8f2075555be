import type { Webhook } from '#platform/webhooks/schema.ts'
import { shortMoment } from '../../format.ts'
import { webhookWords } from '../../text/webhooks.ts'
import type { Desk } from '../console.ts'
import { menu } from './webhook-paths.ts'
import { nameOf } from './webhook-words.ts'

/** Says on the dashboard which webhooks fail, or were switched off because they did. */
export function WebhookNotices({ desk, webhooks }: { desk: Desk; webhooks: Webhook[] }) {
  const { language, site } = desk
  const words = webhookWords[language].notice
  return (
    <>
      {webhooks.map(webhook => {
        const { id, isOn, failingSince, switchedOffAt } = webhook
        const isFailing = isOn && failingSince !== null
        if (!isFailing && (isOn || switchedOffAt === null)) return null
        return (
          <p key={id} class={`notice ${isFailing ? 'warn' : 'bad'}`}>
            {isFailing
              ? words.failing(nameOf(webhook), shortMoment(language, failingSince, site.timezone))
              : words.off(nameOf(webhook))}{' '}
            <a href={`${menu}/${id}`}>{words.look}</a>
          </p>
        )
      })}
    </>
  )
}
