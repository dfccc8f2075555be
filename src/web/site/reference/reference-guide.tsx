import type { Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { formatJson } from './format-json.ts'
import type { Reference } from './openapi-view.ts'
import {
  Code,
  CodeMarkup,
  getGroupDescription,
  getGroupName,
  getGroupPath,
  groupByService
} from './reference-parts.tsx'

const chapters = [
  'quickStart',
  'authentication',
  'errors',
  'paging',
  'languages',
  'dates',
  'limits',
  'idempotency',
  'conditions',
  'compatibility',
  'documents'
] as const

type Chapter = (typeof chapters)[number]

export function listChapters(language: Language): { anchor: string; title: string; isEnglish: boolean }[] {
  return chapters.map(anchor => ({ anchor, title: getMessages('guide', language)[anchor].title, isEnglish: false }))
}

/** Introduction to the API. */
export function Guide({ language, origin, reference }: { language: Language; origin: string; reference: Reference }) {
  const strings = getMessages('reference', language)
  const services = new Set(reference.groups.map(({ service }) => service))
  return (
    <>
      <section aria-labelledby="operations">
        <h2 id="operations" class="visually-hidden">
          {strings.operations}
        </h2>
        {groupByService(reference).map(([service, groups]) => (
          <div key={service} class="group-list">
            <h3>{findText(strings.services, service) ?? service}</h3>
            <ul>
              {groups.map(group => (
                <li key={group.key}>
                  <a href={getGroupPath(language, group.key)}>{getGroupName(language, group)}</a>
                  <span>{getGroupDescription(language, group)}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
      {chapters.map(chapter => (
        <section key={chapter} class="chapter" id={chapter} aria-labelledby={`${chapter}-title`}>
          <h2 id={`${chapter}-title`}>{getMessages('guide', language)[chapter].title}</h2>
          {getMessages('guide', language)[chapter].paragraphs.map((text, index) => (
            <div key={text}>
              <p>
                <CodeMarkup text={text} />
              </p>
              <Illustration language={language} origin={origin} at={`${chapter}-${index}`} services={services} />
            </div>
          ))}
        </section>
      ))}
    </>
  )
}

/** Example below a paragraph. A process may run only one service: examples of the other are then omitted. */
function Illustration({
  language,
  origin,
  at,
  services
}: {
  language: Language
  origin: string
  at: `${Chapter}-${number}`
  services: Set<string>
}) {
  const guide = getMessages('guide', language)
  const line = (id: string, text: string) => (
    <Code language={language} id={id} text={text} label={getMessages('reference', language).copyLine} />
  )
  if (at === 'quickStart-0') {
    return (
      <>
        {services.has('campaigns')
          ? line('curl-campaigns', `# ${guide.listCampaigns}\ncurl ${origin}/campaigns`)
          : null}
        {line(
          'curl-events',
          `# ${guide.listEvents}\ncurl "${origin}${calendarPath}/events?per_page=3&language=${language}"`
        )}
      </>
    )
  }
  if (at === 'quickStart-1') return line('curl-new-event', buildEventExample(origin))
  if (at === 'authentication-1') return <Roles language={language} />
  if (at === 'errors-1') return line('problem', formatJson(problemExample))
  if (at === 'errors-2') return line('refusal', formatJson(refusalExample))
  if (at === 'conditions-0')
    return line('curl-condition', `curl -i --etag-compare etag.txt --etag-save etag.txt ${origin}/campaigns`)
  if (at === 'compatibility-0') return line('curl-peer', `curl ${origin}/wp-json/tribe/events/v1/events`)
  if (at === 'documents-0') return <Documents language={language} origin={origin} services={services} />
  return null
}

function buildEventExample(origin: string): string {
  const event = { title: 'Summer concert', start_date: 'next saturday 19:30', end_date: 'next saturday 21:30' }
  return [
    `curl -X POST ${origin}${calendarPath}/events`,
    '-H "Authorization: Bearer $KEY"',
    '-H "Content-Type: application/json"',
    `-d '${formatJson(event).replaceAll('\n', '\n  ')}'`
  ].join(' \\\n  ')
}

function Roles({ language }: { language: Language }) {
  const { roles, roleColumns, authentication } = getMessages('guide', language)
  return (
    <table class="fields">
      <caption class="visually-hidden">{authentication.title}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{roleColumns.role}</th>
          <th scope="col">{roleColumns.may}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(roles).map(([role, may]) => (
          <tr key={role}>
            <th scope="row">
              <code>{role}</code>
            </th>
            <td>{may}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Documents({ language, origin, services }: { language: Language; origin: string; services: Set<string> }) {
  const { all, ...parts } = getMessages('guide', language).oneDocument
  const documents: [path: string, name: string][] = [
    ['/openapi.json', all],
    ...Object.entries(parts)
      .filter(([service]) => services.has(service))
      .map(([service, name]): [string, string] => [`/openapi/${service}.json`, name])
  ]
  return (
    <ul>
      {documents.map(([path, name]) => (
        <li key={path}>
          <a href={path}>{origin + path}</a> ({name})
        </li>
      ))}
    </ul>
  )
}

const problemExample = {
  type: '/problems/invalid-input',
  title: 'Bad Request',
  status: 400,
  detail: 'The request is not valid: amount must be an amount such as 20 or 20.50.',
  code: 'invalid-input',
  requestId: 'fd45dd66-8e5c-4a4e-b1ee-b521b051ecd9',
  errors: [
    {
      in: 'body',
      pointer: '/amount',
      code: 'not-a-number',
      message: 'amount must be an amount such as 20 or 20.50.'
    }
  ]
}

const refusalExample = {
  code: 'rest_invalid_param',
  message: 'Invalid parameter(s): start_date',
  data: {
    status: 400,
    params: { start_date: 'start_date must be a date or time, such as 2027-02-01 10:00:00 or tomorrow 9am.' }
  }
}
