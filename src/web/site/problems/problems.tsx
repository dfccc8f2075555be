import { STATUS_CODES } from 'node:http'
import type { Language, Text } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import type { Page, PageRouter } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { CodeMarkup } from '../reference/reference-parts.tsx'
import { catalogue } from './catalogue.ts'
import type { ProblemEntry } from './problem-entry.ts'
import { computedTexts } from './strings.ts'

/** The pages that the `type` of a problem points to: one for each code, and an index of all. */
export function registerProblemRoutes(pages: PageRouter): void {
  pages.add('problems', async context => buildIndexPage(context))
  pages.add('problem', async context => {
    const entry = catalogue.find(one => one.code === context.params.code)
    if (entry === undefined) throw new ApiError(404, 'not-found', 'There is no such problem code.')
    return buildProblemPage(context, entry)
  })
}

/** Messages of a code; empty only for a code that the catalogue cannot read and nobody has described. */
export function listTexts({ code, texts }: ProblemEntry): readonly Text[] {
  const computed = computedTexts[code]
  return texts.length === 0 && computed !== undefined ? [computed] : texts
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
    alternates: { en: twin('en'), de: twin('de') },
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
