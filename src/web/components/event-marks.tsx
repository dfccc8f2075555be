import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getDirAttribute } from '../format/direction.ts'

type Marked = { event_status: 'scheduled' | 'canceled' | 'postponed' | null; featured: boolean | null }

/** Star of featured events, with a text for screen readers. */
export function Star({ language, event }: { language: Language; event: Marked }) {
  return event.featured === true ? (
    <span class="star" role="img" aria-label={getMessages('calendar', language).featured}>
      ★
    </span>
  ) : null
}

/** Label for cancelled and postponed events; empty for others. */
export function formatEventStatus(language: Language, { event_status }: Pick<Marked, 'event_status'>): string {
  const strings = getMessages('calendar', language)
  return event_status === 'canceled' ? strings.cancelled : event_status === 'postponed' ? strings.postponed : ''
}

export function StatusBadge({ language, event }: { language: Language; event: Pick<Marked, 'event_status'> }) {
  const word = formatEventStatus(language, event)
  return word === '' ? null : <span class={event.event_status === 'canceled' ? 'badge bad' : 'badge warn'}>{word}</span>
}

/** Title with its `lang` attribute, struck through if the event is cancelled. */
export function EventTitle({
  language,
  event
}: {
  language: Language
  event: Pick<Marked, 'event_status'> & { title: string; language: Language }
}) {
  const lang = event.language === language ? undefined : event.language
  const attributes = { lang, dir: getDirAttribute(event.title) }
  return event.event_status === 'canceled' ? (
    <s {...attributes}>{event.title}</s>
  ) : (
    <span {...attributes}>{event.title}</span>
  )
}
