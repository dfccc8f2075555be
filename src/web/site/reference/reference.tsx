import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { buildTexts, findText, getMessages } from '#platform/messages/messages.ts'
import { subscribeScript } from '../../components/subscribe.tsx'
import type { Page, PageRouter } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import type { Group, Reference } from './openapi-view.ts'
import { newReferenceCache } from './reference-cache.ts'
import { Operations } from './reference-group.tsx'
import { Guide, listChapters } from './reference-guide.tsx'
import { Contents, getGroupDescription, getGroupName, getGroupPath } from './reference-parts.tsx'
import { findSampleResources } from './sample-resources.ts'

/** API reference from the OpenAPI documents: an introduction, and a page for each group of operations. */
export function registerReferenceRoutes(pages: PageRouter): void {
  const read = newReferenceCache()
  pages.add('api', async context => {
    const { group: key = '' } = context.query
    const reference = await read(context.api)
    if (key === '') return buildStartPage(context, reference)
    const group = reference.groups.find(one => one.key === key)
    if (group === undefined) throw new ApiError(404, 'not-found', 'There is no such part of the API.')
    return await buildGroupPage(context, reference, group)
  })
}

function buildStartPage({ language, origin }: PageContext, reference: Reference): Page {
  const strings = getMessages('reference', language)
  return {
    title: strings.title,
    description: strings.description,
    alternates: getPaths('api'),
    styles: 'developers',
    scripts: [subscribeScript],
    body: (
      <ReferenceLayout
        contents={<Contents language={language} reference={reference} current="" parts={listChapters(language)} />}
        title={strings.title}
        lead={strings.lead}
      >
        <Guide language={language} origin={origin} reference={reference} />
      </ReferenceLayout>
    )
  }
}

async function buildGroupPage(context: PageContext, reference: Reference, group: Group): Promise<Page> {
  const { language, origin } = context
  const strings = getMessages('reference', language)
  const name = getGroupName(language, group)
  const things = await findSampleResources(context, group.key)
  const parts = group.entries.map(({ anchor, summary }) => ({ anchor, title: summary, isEnglish: true }))
  const alternatePath = (one: Language) => getGroupPath(one, group.key)
  return {
    title: strings.groupTitle({ name }),
    description: getGroupDescription(language, group),
    alternates: buildTexts(alternatePath),
    styles: 'developers',
    scripts: [subscribeScript],
    body: (
      <ReferenceLayout
        contents={<Contents language={language} reference={reference} current={group.key} parts={parts} />}
        eyebrow={`${strings.title} · ${findText(strings.services, group.service) ?? group.service}`}
        title={name}
        lead={getGroupDescription(language, group)}
      >
        <Operations language={language} origin={origin} group={group} things={things} />
        <p class="operation-foot">
          <a href={`${getPath('api', language)}#errors`}>{strings.refusals}</a>
        </p>
      </ReferenceLayout>
    )
  }
}

function ReferenceLayout({
  contents,
  eyebrow,
  title,
  lead,
  children
}: {
  contents: ComponentChildren
  eyebrow?: string
  title: string
  lead: string | undefined
  children: ComponentChildren
}) {
  return (
    <div class="reference">
      <header class="reference-head">
        {eyebrow === undefined ? null : <p class="eyebrow">{eyebrow}</p>}
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </header>
      {contents}
      <div class="reference-body">{children}</div>
    </div>
  )
}
