import { EventLines } from '../../components/event-lines.tsx'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { campaignPageStrings } from '../../strings/campaign-page.ts'

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
      <h2 id="campaign-events">{campaignPageStrings[context.language].events}</h2>
      <EventLines context={context} events={events} />
    </section>
  )
}
