import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../shared/context.ts'
import { menu, type SubscriptionList, subscriptionsPath } from './subscription-paths.ts'

/** Subscriptions that need an editor. */
export async function listStoppedSubscriptions({ api }: AdminContext): Promise<SubscriptionJson[]> {
  const { body } = await api.get<SubscriptionList>(subscriptionsPath, { stopped: true, per_page: 5 })
  return body.subscriptions
}

/** Dashboard notice about subscriptions that are paused because they failed, or wait for a decision. */
export function SubscriptionNotices({ context, stopped }: { context: AdminContext; stopped: SubscriptionJson[] }) {
  const { notice } = getMessages('subscription', context.language)
  return (
    <>
      {stopped.map(({ id, name, problem }) => (
        <p key={id} class="notice bad">
          {problem === 'failing' ? notice.failing({ name }) : notice.stopped({ name })}{' '}
          <a href={`${menu}/${id}`}>{notice.look}</a>
        </p>
      ))}
    </>
  )
}
