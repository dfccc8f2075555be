import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { EventLines } from '../components/event-lines.tsx'
import { SearchForm } from '../components/search-form.tsx'
import type { ApiError } from '../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../server/calendar-api.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { calendarStrings } from '../strings/calendar.ts'
import { type LayoutStrings, layoutStrings } from '../strings/layout.ts'
import { PageFrame } from './layout.tsx'
import { type Page, renderHtml } from './page.ts'

type ErrorStatus = keyof LayoutStrings['failure']

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
    title: layoutStrings[language].failure[shown].title,
    status: shown,
    noindex: true,
    body: (
      <ErrorMessage language={language} status={shown}>
        {next.length === 0 ? null : (
          <>
            <h2>{calendarStrings[language].upcoming}</h2>
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

/** A complete error page, rendered without any API call. */
export function renderErrorPage(site: SiteSettings, language: Language, status: number): string {
  const strings = layoutStrings[language]
  const shown = toErrorStatus(status)
  return renderHtml(
    <PageFrame
      site={site}
      language={language}
      title={`${strings.failure[shown].title} · ${site.name}`}
      alternates={{}}
      head={<meta name="robots" content="noindex" />}
    >
      <ErrorMessage language={language} status={shown} />
    </PageFrame>
  )
}

function toErrorStatus(status: number): ErrorStatus {
  if (status in layoutStrings.en.failure) return status as ErrorStatus
  return status >= 500 ? 500 : 400
}

function ErrorMessage({
  language,
  status,
  children
}: {
  language: Language
  status: ErrorStatus
  children?: ComponentChildren
}) {
  const strings = layoutStrings[language]
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
