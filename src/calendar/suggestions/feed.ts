import { atomType, escapeXml, type Feed, toAtom } from '#platform/http/feed-xml.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import type { RouteResult } from '../contract/routing/route.ts'
import { buildRestUrl, formatHost, type Site } from '../contract/routing/site.ts'
import type { EventRow } from '../events/event-row.ts'
import type { SuggestionRow } from './queries.ts'

const summaryLength = 400

/** The queue as an Atom feed, without the data of senders: feed readers keep copies. */
export function buildSuggestionFeed(
  found: { row: SuggestionRow; event: EventRow | undefined }[],
  { site, siteName, language }: { site: Site; siteName: string; language: Language }
): RouteResult {
  const page = `${site.origin}/admin/suggestions`
  const { title, description } = getMessages('suggestion-feed', language)
  const feed: Feed = {
    title: title({ siteName }),
    description,
    language,
    page,
    self: buildRestUrl(site, '/suggestions.atom'),
    id: `tag:${formatHost(site)},2026:suggestions`,
    publisher: siteName,
    items: found.flatMap(({ row, event }) => {
      if (event === undefined) return []
      const at = new Date(row.queuedAt ?? row.createdAt)
      return [
        {
          id: `tag:${formatHost(site)},2026:suggestion/${row.id}`,
          title: event.title,
          page: `${page}/${row.id}`,
          publishedAt: at,
          updatedAt: at,
          summary: buildSummary(event),
          categories: [],
          image: undefined
        }
      ]
    }),
    emptySince: new Date(0)
  }
  return {
    body: {},
    text: { content: toAtom(feed), type: atomType, headers: { 'cache-control': 'private, no-cache' } },
    language
  }
}

function buildSummary({ start, allDay, venues, description }: EventRow): string {
  const facts = [start.slice(0, allDay ? 10 : 16), ...(venues ?? []).map(({ name }) => name)]
  const text = toSingleLineText(description).slice(0, summaryLength).toWellFormed()
  return [facts.join(', '), text]
    .filter(part => part !== '')
    .map(part => `<p>${escapeXml(part)}</p>`)
    .join('')
}
