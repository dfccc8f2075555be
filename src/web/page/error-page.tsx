import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { EventLines } from '../components/event-lines.tsx'
import { SearchForm } from '../components/search-form.tsx'
import type { ApiError } from '../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../server/calendar-api.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { PageFrame } from './layout.tsx'
import { type Page, renderHtml } from './page.ts'

type ErrorStatus = keyof Messages<'layout'>['failure']

/** Page for 404 and 410, with alternatives. */
export async function buildNotFoundPage(
  context: PageContext,
  { status, code }: Pick<ApiError, 'status' | 'code'>
): Promise<Page> {
  const { language, api } = context
  const shown = status === 410 || code.endsWith('-no-longer-available') ? 410 : 404
  const next = await api
    .get<EventList>(`${calendarPath}/events`, { per_page: eventsShown, ends_after: 'now', language })
    .then(({ body }) => body.events, ignoreProblem)
  return {
    title: getMessages('layout', language).failure[shown].title,
    status: shown,
    noindex: true,
    body: (
      <ErrorMessage language={language} status={shown}>
        {next.length === 0 ? null : (
          <>
            <h2>{getMessages('calendar', language).upcoming}</h2>
            <EventLines context={context} events={next} />
          </>
        )}
      </ErrorMessage>
    )
  }
}

const eventsShown = 3

/** Ignores errors of the calendar API, as the events are only an extra here; unexpected errors are rethrown. */
function ignoreProblem(error: unknown): CalendarEvent[] {
  if (error instanceof Problem) return []
  throw error
}

/** A complete error page, rendered without any API call. `retry` is the path of a page that may work soon. */
export function renderErrorPage(site: SiteSettings, language: Language, status: number, retry?: string): string {
  const strings = getMessages('layout', language)
  const shown = toErrorStatus(status)
  return renderHtml(
    <PageFrame
      site={site}
      language={language}
      title={`${strings.failure[shown].title} · ${site.name}`}
      alternates={{}}
      head={<meta name="robots" content="noindex" />}
    >
      <ErrorMessage language={language} status={shown} retry={shown === 503 ? retry : undefined} />
    </PageFrame>
  )
}

export function toErrorStatus(status: number): ErrorStatus {
  if (status in getMessages('layout', 'en').failure) return status as ErrorStatus
  return status >= 500 ? 500 : 400
}

function ErrorMessage({
  language,
  status,
  retry,
  children
}: {
  language: Language
  status: ErrorStatus
  retry?: string | undefined
  children?: ComponentChildren
}) {
  const strings = getMessages('layout', language)
  const { title, text } = strings.failure[status]
  return (
    <div class="failure">
      <p class="failure-number" aria-hidden="true">
        {status}
      </p>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {status === 404 || status === 410 ? <SearchForm language={language} /> : null}
      <p class="actions">
        {retry === undefined ? null : (
          <a class="button" href={retry}>
            {strings.tryAgain}
          </a>
        )}
        <a class="button quiet" href={getPath('calendar', language)}>
          {strings.toCalendar}
        </a>
        <a class="button quiet" href={getPath('home', language)}>
          {strings.backHome}
        </a>
      </p>
      {children}
    </div>
  )
}
