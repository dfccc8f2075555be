import { STATUS_CODES } from 'node:http'
import type { Language, Text } from '#platform/language.ts'
import { type Area, buildTexts, findText, formatMessage, getMessages } from '#platform/messages/messages.ts'
import type { Page, PageRouter } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { CodeMarkup } from '../reference/reference-parts.tsx'
import { catalogue } from './catalogue.ts'
import type { ProblemEntry } from './problem-entry.ts'

/** The pages that the `type` of a problem points to: one for each code, and an index of all. */
export function registerProblemRoutes(pages: PageRouter): void {
  pages.add('problems', async context => buildIndexPage(context))
  pages.add('problem', async context => {
    const entry = catalogue.find(one => one.code === context.params.code)
    if (entry === undefined) throw new ApiError(404, 'not-found', 'There is no such problem code.')
    return buildProblemPage(context, entry)
  })
}

/** Messages of a code; for one whose messages are put together while the program runs, the description of the code. */
export function listTexts({ code, texts }: ProblemEntry): readonly Text[] {
  if (texts.length === 0)
    return [buildTexts(language => findText(getMessages('problem', language).computed, code) ?? '')]
  return texts.map(name => buildTexts(language => describeMessage(name, code, language)))
}

/** An ellipsis stands for what depends on the request; codes of the calendar have the kind in their name. */
function describeMessage(name: string, code: string, language: Language): string {
  const kind = /\b(?:event|venue|organizer)\b/.exec(code)?.[0] ?? '…'
  const ellipses = new Proxy({}, { get: (_, argument) => (argument === 'kind' ? kind : '…') })
  const [area = '', key = ''] = name.split(/\.(.*)/s)
  const messages = getMessages(area as Area, language)
  return findText(messages, key) ?? formatMessage(messages, key, ellipses) ?? ''
}

const order = ['platform', 'fundraising', 'calendar', 'web']

function buildIndexPage({ language }: PageContext): Page {
  const strings = getMessages('problem', language)
  return {
    title: strings.title,
    description: strings.description,
    alternates: getPaths('problems'),
    body: (
      <article class="page">
        <h1>{strings.title}</h1>
        <p class="lead">{strings.lead}</p>
        {order.map(service => (
          <section key={service} aria-labelledby={service}>
            <h2 id={service}>{findText(strings.groups, service)}</h2>
            <ul>
              {catalogue
                .filter(({ services }) => services[0] === service)
                .map(({ code, statuses }) => (
                  <li key={code}>
                    <a href={getPath('problem', language, code)}>
                      <code>{code}</code>
                    </a>{' '}
                    {statuses.join(', ')}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <p>
          <a href={`${getPath('api', language)}#errors`}>{strings.reference}</a>
        </p>
      </article>
    )
  }
}

function buildProblemPage({ language }: PageContext, entry: ProblemEntry): Page {
  const { code, statuses, services } = entry
  const strings = getMessages('problem', language)
  const twin = (one: Language) => getPath('problem', one, code)
  const texts = listTexts(entry)
  return {
    title: strings.titleOf({ code }),
    description: texts[0]?.[language] ?? strings.leadOf,
    alternates: buildTexts(twin),
    body: (
      <article class="page">
        <h1>
          <code>{code}</code>
        </h1>
        <p class="lead">{strings.leadOf}</p>
        <h2>{strings.meaning}</h2>
        <ul>
          {texts.map(text => (
            <li key={text.en}>{text[language]}</li>
          ))}
        </ul>
        {texts.some(text => text[language].includes('…')) ? <p>{strings.ellipsis}</p> : null}
        <h2>{strings.status}</h2>
        {statuses.length === 0 ? (
          <p>{strings.anyStatus}</p>
        ) : (
          <ul>
            {statuses.map(status => (
              <li key={status}>
                {status} <span lang="en">{STATUS_CODES[status]}</span>
              </li>
            ))}
          </ul>
        )}
        <h2>{strings.remedy}</h2>
        {(statuses.length === 0 ? [400] : statuses).map(status => (
          <p key={status}>
            <CodeMarkup text={findText(strings.remedies, String(status)) ?? ''} />
          </p>
        ))}
        <h2>{strings.origin}</h2>
        <ul>
          {services.map(service => (
            <li key={service}>
              <CodeMarkup text={findText(strings.services, service) ?? service} />
            </li>
          ))}
        </ul>
        <p>
          <a href={getPath('problems', language)}>{strings.all}</a> ·{' '}
          <a href={`${getPath('api', language)}#errors`}>{strings.reference}</a>
        </p>
      </article>
    )
  }
}
