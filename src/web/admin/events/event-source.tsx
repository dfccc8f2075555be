import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'

/** The subscription that an event comes from. */
export async function findEventSubscription(
  { api }: AdminContext,
  eventId: number
): Promise<SubscriptionJson | undefined> {
  const { body } = await api.get<{ subscriptions: SubscriptionJson[] }>(`${calendarPath}/subscriptions`, {
    event: eventId
  })
  return body.subscriptions[0]
}

/** In the editor of an event: the calendar that it comes from. */
export function EventSource({ context, from }: { context: AdminContext; from: SubscriptionJson | undefined }) {
  const strings = getMessages('event-source', context.language)
  if (from === undefined) return null
  return (
    <p class="notice">
      {strings.fromCalendar} <a href={`/admin/subscriptions/${from.id}`}>{from.name}</a>: {strings.stays}
    </p>
  )
}
