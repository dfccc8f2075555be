import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import type { Refused } from './api.ts'
import { type CalendarEvent, calendarPath, type EventList } from './calendar-api.ts'
import { Frame } from './layout.tsx'
import { htmlOf, type Page } from './page.ts'
import { pathTo } from './paths.ts'
import type { SiteInfo } from './site-info.ts'
import { calendarWords } from './text/calendar.ts'
import { type FrameWords, frameWords } from './text/frame.ts'
import { EventLines } from './ui/event-lines.tsx'
import { SearchForm } from './ui/search-form.tsx'
import type { Visit } from './visit.ts'

type FailureStatus = keyof FrameWords['failure']

/** The page for something that is not there, or not there any more: with what there is instead. */
export async function goneOrMissing(visit: Visit, { status, code }: Pick<Refused, 'status' | 'code'>): Promise<Page> {
  const { language, api } = visit
  const shown = status === 410 || code.endsWith('-no-longer-available') ? 410 : 404
  const next = await api
    .get<EventList>(`${calendarPath}/events`, { per_page: eventsShown, ends_after: 'now', language })
    .then(({ body }) => body.events, noEvents)
  return {
    title: frameWords[language].failure[shown].title,
    status: shown,
    noindex: true,
    body: (
      <Failure language={language} status={shown}>
        {next.length === 0 ? null : (
          <>
            <h2>{calendarWords[language].upcoming}</h2>
            <EventLines visit={visit} events={next} />
          </>
        )}
      </Failure>
    )
  }
}

const eventsShown = 3

/** A calendar that refuses, or is not served here, is not what the visitor came for; a mistake of ours is still one. */
function noEvents(error: unknown): CalendarEvent[] {
  if (error instanceof Problem) return []
  throw error
}

/** A whole page that says what went wrong, made without asking anybody. */
export function failurePage(site: SiteInfo, language: Language, status: number): string {
  const words = frameWords[language]
  const shown = knownStatus(status)
  return htmlOf(
    <Frame
      site={site}
      language={language}
      title={`${words.failure[shown].title} · ${site.name}`}
      twins={{}}
      head={<meta name="robots" content="noindex" />}
    >
      <Failure language={language} status={shown} />
    </Frame>
  )
}

function knownStatus(status: number): FailureStatus {
  if (status in frameWords.en.failure) return status as FailureStatus
  return status >= 500 ? 500 : 400
}

function Failure({
  language,
  status,
  children
}: {
  language: Language
  status: FailureStatus
  children?: ComponentChildren
}) {
  const words = frameWords[language]
  const { title, text } = words.failure[status]
  return (
    <div class="failure">
      <p class="failure-number" aria-hidden="true">
        {status}
      </p>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {status === 404 || status === 410 ? <SearchForm language={language} /> : null}
      <p class="actions">
        <a class="button quiet" href={pathTo('calendar', language)}>
          {words.toCalendar}
        </a>
        <a class="button quiet" href={pathTo('home', language)}>
          {words.backHome}
        </a>
      </p>
      {children}
    </div>
  )
}
