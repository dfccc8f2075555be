import type { SubscribedEventJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDate } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { Moment } from './subscription-parts.tsx'
import { getSubscriptionPagePath } from './subscription-paths.ts'

/** How many conflicts and how many events that are gone the page shows. */
export const itemsShown = 50

/** Events that were edited here and have changed at the source, with both values. */
export function Conflicts({
  context,
  events,
  total
}: {
  context: AdminContext
  events: SubscribedEventJson[]
  total: number
}) {
  const strings = getMessages('subscription', context.language)
  if (events.length === 0) return null
  return (
    <section aria-labelledby="conflicts">
      <h2 id="conflicts">{strings.conflicts}</h2>
      <p>{strings.conflictsText}</p>
      {events.map(event => (
        <Conflict key={event.id} context={context} event={event} />
      ))}
      {total > events.length ? <p class="muted">{strings.moreConflicts}</p> : null}
    </section>
  )
}

function Conflict({ context, event }: { context: AdminContext; event: SubscribedEventJson }) {
  const strings = getMessages('subscription', context.language)
  const action = getSubscriptionPagePath(context, '/resolve')
  const button = (take: string, label: string, look: string) => (
    <ActionButton
      context={context}
      action={action}
      label={label}
      fields={{ event: String(event.id), take }}
      look={look}
    />
  )
  return (
    <article class="card" aria-labelledby={`conflict-${event.id}`}>
      <h3 id={`conflict-${event.id}`}>
        <EventLink event={event} />{' '}
        <time class="muted" dateTime={event.start_date.replace(' ', 'T')}>
          {formatDate(context.language, event.start_date)}
        </time>
      </h3>
      <Table
        context={context}
        caption={`${event.title}, ${formatDate(context.language, event.start_date)}`}
        empty=""
        rows={event.conflicts}
        columns={[
          { label: strings.field, isHead: true, cell: ({ name }) => name },
          { label: strings.here, isNamed: true, cell: ({ here }) => <Value text={here} empty={strings.empty} /> },
          { label: strings.theirs, isNamed: true, cell: ({ theirs }) => <Value text={theirs} empty={strings.empty} /> }
        ]}
      />
      <div class="actions">
        {button('theirs', strings.takeTheirs, 'small')}
        {button('here', strings.keepHere, 'small quiet')}
      </div>
    </article>
  )
}

function Value({ text, empty }: { text: string; empty: string }) {
  if (text === '') return <span class="muted">{empty}</span>
  return <span class="anywhere lines">{text}</span>
}

function EventLink({ event }: { event: SubscribedEventJson }) {
  if (event.status === 'trash') return <span class="anywhere">{event.title}</span>
  return (
    <a class="anywhere" href={`/admin/events/${event.id}`}>
      {event.title}
    </a>
  )
}

export function GoneEvents({ context, events }: { context: AdminContext; events: SubscribedEventJson[] }) {
  const { language } = context
  const strings = getMessages('subscription', language)
  if (events.length === 0) return null
  return (
    <>
      <h2>{strings.goneTitle}</h2>
      <Table
        context={context}
        caption={strings.goneTitle}
        empty=""
        rows={events}
        columns={[
          { label: strings.event, isHead: true, cell: event => <EventLink event={event} /> },
          { label: strings.when, cell: ({ start_date: start }) => formatDate(language, start) },
          {
            label: strings.goneSince,
            isNamed: true,
            cell: ({ gone_at: at }) => (at === null ? null : <Moment context={context} at={at} />)
          },
          {
            label: strings.goneDone,
            isNamed: true,
            cell: ({ gone_action: action }) => (action === null ? null : strings.goneResults[action])
          }
        ]}
      />
    </>
  )
}
