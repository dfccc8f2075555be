import type { ComponentChildren } from 'preact'
import type { SuggestionJson } from '#calendar/contract/suggestion-shapes.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { MailLink } from '../../components/mail-link.tsx'
import { formatAddressLines } from '../../components/map-link.tsx'
import { PlainText } from '../../components/plain-text.tsx'
import { RichText } from '../../components/rich-text.tsx'
import { WebLink } from '../../components/web-link.tsx'
import { formatDateTime } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, getVenues, suggestionLengths } from '../../server/calendar-api.ts'
import { formatWhen, formatZone } from '../../site/events/event-time.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton, Form } from '../shared/form.tsx'

export type Suggestion = Omit<SuggestionJson, 'event'> & { event: CalendarEvent | null }
export type SuggestionState = Suggestion['state']

export const suggestionStates = ['open', 'accepted', 'declined'] as const satisfies SuggestionState[]

interface CardProps {
  context: AdminContext
  suggestion: Suggestion
}

export function getSuggestionTitle({ language }: AdminContext, { event }: Suggestion): string {
  return event?.title ?? getMessages('suggestion', language).gone
}

/** Everything that an editor needs to decide. */
export function SuggestionCard({ context, suggestion, isAlone = false }: CardProps & { isAlone?: boolean }) {
  const { id, event, message, state } = suggestion
  const strings = getMessages('suggestion', context.language)
  const lang = suggestion.language === context.language ? undefined : suggestion.language
  // Alone it has the title of the page as its heading.
  const Card = isAlone ? 'div' : 'article'
  return (
    <Card class="card suggestion">
      {isAlone ? null : (
        <h2 lang={lang}>
          <a href={`/admin/suggestions/${id}`}>{getSuggestionTitle(context, suggestion)}</a>
        </h2>
      )}
      {state === 'open' ? null : <Decision context={context} suggestion={suggestion} />}
      <dl class="facts facts-grid">
        {event === null ? null : <EventFacts context={context} event={event} />}
        <SenderFacts context={context} suggestion={suggestion} />
      </dl>
      {event === null || event.description === '' ? null : (
        <RichText html={event.description} lang={lang} className="suggestion-text" />
      )}
      {message === '' ? null : (
        <div class="suggestion-message" lang={lang}>
          <p class="muted" lang={context.language}>
            {strings.message}
          </p>
          <PlainText text={message} />
        </div>
      )}
      <Duplicates context={context} suggestion={suggestion} />
      {state === 'open' && event !== null ? <Actions context={context} suggestion={suggestion} event={event} /> : null}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function EventFacts({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const { language, site } = context
  const strings = getMessages('suggestion', language)
  const zone = formatZone(context, event)
  const cost = formatCost(language, site.currency, event)
  return (
    <>
      <Fact name={strings.when}>
        {formatWhen(language, event)}
        {zone === undefined ? null : <span class="below">{zone}</span>}
      </Fact>
      {getVenues(event).map(venue => (
        <Fact key={venue.id} name={strings.where}>
          {[venue.venue, ...formatAddressLines(language, venue)].join(', ')}
          {venue.status === 'pending' ? <span class="below">{strings.newPlace}</span> : null}
        </Fact>
      ))}
      {event.organizer.map(organizer => (
        <Fact key={organizer.id} name={strings.organizer}>
          {organizer.organizer}
          {organizer.status === 'pending' ? <span class="below">{strings.newPlace}</span> : null}
        </Fact>
      ))}
      {event.categories.map(category => (
        <Fact key={category.id} name={strings.category}>
          {category.name}
        </Fact>
      ))}
      {cost === '' ? null : <Fact name={strings.cost}>{cost}</Fact>}
      {event.website === '' || event.website === event.url ? null : (
        <Fact name={strings.website}>
          <WebLink address={event.website} />
        </Fact>
      )}
      <Fact name={strings.language}>{formatLanguageName(event.language, language)}</Fact>
    </>
  )
}

function SenderFacts({ context, suggestion: { id, sender, created_at } }: CardProps) {
  const { language, site } = context
  const strings = getMessages('suggestion', language)
  return (
    <>
      <Fact name={strings.sender}>
        {sender === null ? (
          strings.erased
        ) : (
          <>
            {sender.name === '' ? null : `${sender.name}, `}
            <MailLink address={sender.email} />
            {sender.is_confirmed ? null : <span class="below">{strings.unconfirmed}</span>}
            <span class="below">
              <a href={`/admin/suggestions/${id}/erase`}>{strings.erase}</a>
            </span>
          </>
        )}
      </Fact>
      <Fact name={strings.sentAt}>
        <time dateTime={created_at}>{formatDateTime(language, created_at, site.timezone)}</time>
      </Fact>
    </>
  )
}

function Decision({ context, suggestion }: CardProps) {
  const { language, site } = context
  const strings = getMessages('suggestion', language)
  const { state, decided_by, decided_at, reason, answer, event } = suggestion
  return (
    <>
      <p class={`notice ${state === 'accepted' ? 'good' : 'warn'}`}>
        {strings.decided({
          state: strings.states[state],
          who: formatActor(language, decided_by),
          at: formatDateTime(language, decided_at ?? '', site.timezone)
        })}{' '}
        {event === null ? null : <a href={`/admin/events/${event.id}`}>{strings.toEvent}</a>}
      </p>
      {reason === '' ? null : (
        <p>
          <strong>{strings.note}:</strong> {reason}
        </p>
      )}
      {answer === '' ? null : (
        <p class="typed">
          <strong>{strings.wroteTo}:</strong> {answer}
        </p>
      )}
    </>
  )
}

function Duplicates({ context, suggestion: { duplicates = [] } }: CardProps) {
  const { language } = context
  const strings = getMessages('suggestion', language)
  if (duplicates.length === 0) return null
  return (
    <div class="notice warn">
      <p>
        <strong>{strings.duplicates}</strong>
      </p>
      <ul>
        {/* The start is a local time, so it is formatted as it is. */}
        {duplicates.map(({ id, title, start_date, because }) => (
          <li key={id}>
            <a href={`/admin/events/${id}`}>{title}</a>,{' '}
            {formatDateTime(language, `${start_date.replace(' ', 'T')}Z`, 'UTC')} ({strings.because[because]})
          </li>
        ))}
      </ul>
    </div>
  )
}

function Actions({ context, suggestion, event }: CardProps & { event: CalendarEvent }) {
  const strings = getMessages('suggestion', context.language)
  const path = `/admin/suggestions/${suggestion.id}`
  const name = (field: string) => `${field}-${suggestion.id}`
  return (
    <>
      <div class="actions">
        <ActionButton context={context} action={`${path}/accept`} label={strings.accept} look="" />
        <a class="button quiet" href={withQuery(`/admin/events/${event.id}`, { lang: event.language })}>
          {strings.edit}
        </a>
      </div>
      <details class="suggestion-decline">
        <summary>{strings.decline}</summary>
        <Form context={context} action={`${path}/decline`} draft={`${path}/decline`}>
          {suggestion.sender === null ? null : (
            <Field name={name('answer')} label={strings.answer} hint={strings.answerHint}>
              {tied => <textarea {...tied} name="answer" rows={4} maxLength={suggestionLengths.answer} />}
            </Field>
          )}
          <Field name={name('reason')} label={strings.reason}>
            {tied => <input {...tied} type="text" name="reason" maxLength={suggestionLengths.reason} />}
          </Field>
          <button type="submit" class="danger">
            {strings.declineNow}
          </button>
        </Form>
      </details>
    </>
  )
}
