import { getMessages } from '#platform/messages/messages.ts'
import { EventLines } from '../../components/event-lines.tsx'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'

/** The next events of a campaign, such as benefit concerts. */
export function RelatedEvents({
  context,
  events
}: {
  context: Pick<PageContext, 'language'>
  events: CalendarEvent[]
}) {
  if (events.length === 0) return null
  return (
    <section aria-labelledby="campaign-events">
      <h2 id="campaign-events">{getMessages('campaign-page', context.language).events}</h2>
      <EventLines context={context} events={events} />
    </section>
  )
}
