import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import type { Page, Pages } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { referenceWords } from '../../text/reference.ts'
import { subscribeIsland } from '../../ui/subscribe.tsx'
import type { Visit } from '../../visit.ts'
import type { Group, Reference } from './openapi-view.ts'
import { realThings } from './real-things.ts'
import { Operations } from './reference-group.tsx'
import { chaptersOf, Guide } from './reference-guide.tsx'
import { newReferenceMemory } from './reference-memory.ts'
import { Contents, groupName, groupPath } from './reference-parts.tsx'

/** The API, described by what its own documents say: an introduction, and a page for each group of operations. */
export function referencePages(pages: Pages): void {
  const read = newReferenceMemory()
  pages.add('api', async visit => {
    const { group: key = '' } = visit.query
    const reference = await read(visit.api)
    if (key === '') return startPage(visit, reference)
    const group = reference.groups.find(one => one.key === key)
    if (group === undefined) throw new Refused(404, 'not-found', 'There is no such part of the API.', {})
    return await groupPage(visit, reference, group)
  })
}

function startPage({ language, origin }: Visit, reference: Reference): Page {
  const words = referenceWords[language]
  return {
    title: words.title,
    description: words.description,
    twins: { en: pathTo('api', 'en'), de: pathTo('api', 'de') },
    islands: [subscribeIsland],
    body: (
      <Sheet
        contents={<Contents language={language} reference={reference} current="" parts={chaptersOf(language)} />}
        title={words.title}
        lead={words.lead}
      >
        <Guide language={language} origin={origin} reference={reference} />
      </Sheet>
    )
  }
}

async function groupPage(visit: Visit, reference: Reference, group: Group): Promise<Page> {
  const { language, origin } = visit
  const words = referenceWords[language]
  const name = groupName(language, group)
  const things = await realThings(visit, group.key)
  const parts = group.entries.map(({ anchor, summary }) => ({ anchor, title: summary, isEnglish: true }))
  const twin = (one: Language) => groupPath(one, group.key)
  return {
    title: words.groupTitle(name),
    description: words.groups[group.key]?.[1],
    twins: { en: twin('en'), de: twin('de') },
    islands: [subscribeIsland],
    body: (
      <Sheet
        contents={<Contents language={language} reference={reference} current={group.key} parts={parts} />}
        eyebrow={`${words.title} · ${words.services[group.service] ?? group.service}`}
        title={name}
        lead={words.groups[group.key]?.[1]}
      >
        <Operations language={language} origin={origin} group={group} things={things} />
        <p class="operation-foot">
          <a href={`${pathTo('api', language)}#errors`}>{words.refusals}</a>
        </p>
      </Sheet>
    )
  }
}

function Sheet({
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
