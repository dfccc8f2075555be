import type { Language } from '../language.ts'

/** A feed, newest items first, serialized as RSS or Atom. */
export interface Feed {
  title: string
  description: string
  language: Language
  /** URL of the page for people, and of this feed. */
  page: string
  self: string
  /** Permanent id of the feed. */
  id: string
  publisher: string
  items: FeedItem[]
  /** Update time of a feed without items. */
  emptySince: Date
}

export interface FeedItem {
  /** Does not change with title or URL. */
  id: string
  title: string
  page: string
  publishedAt: Date
  updatedAt: Date
  /** HTML. */
  summary: string
  categories: string[]
  image: FeedImage | undefined
}

export interface FeedImage {
  url: string
  type: string
  /** 0 if unknown. */
  bytes: number
}

export const rssType = 'application/rss+xml; charset=utf-8'
export const atomType = 'application/atom+xml; charset=utf-8'

/** RSS 2.0. */
export function toRss(news: Feed): string {
  const items = news.items.map(
    ({ id, title, page, publishedAt, summary, categories, image }) => `<item>
<title>${escapeXml(title)}</title>
<link>${escapeXml(page)}</link>
<guid isPermaLink="false">${escapeXml(id)}</guid>
<pubDate>${publishedAt.toUTCString()}</pubDate>
<description>${escapeXml(summary)}</description>
${joinLines(categories.map(name => `<category>${escapeXml(name)}</category>`))}${
  image === undefined
    ? ''
    : `<enclosure url="${escapeXml(image.url)}" length="${image.bytes}" type="${escapeXml(image.type)}"/>\n`
}</item>
`
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeXml(news.title)}</title>
<link>${escapeXml(news.page)}</link>
<description>${escapeXml(news.description)}</description>
<language>${news.language}</language>
<lastBuildDate>${getUpdatedAt(news).toUTCString()}</lastBuildDate>
<ttl>60</ttl>
<generator>Kalends</generator>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(news.self)}"/>
${items.join('')}</channel>
</rss>
`
}

/** RFC 4287. */
export function toAtom(news: Feed): string {
  const entries = news.items.map(
    ({ id, title, page, publishedAt, updatedAt, summary, categories, image }) => `<entry>
<id>${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${
  image === undefined
    ? ''
    : `<link rel="enclosure" type="${escapeXml(image.type)}"${image.bytes === 0 ? '' : ` length="${image.bytes}"`} href="${escapeXml(image.url)}"/>\n`
}<published>${publishedAt.toISOString()}</published>
<updated>${updatedAt.toISOString()}</updated>
${joinLines(categories.map(name => `<category term="${escapeXml(name)}"/>`))}<summary type="html">${escapeXml(summary)}</summary>
</entry>
`
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${news.language}">
<id>${escapeXml(news.id)}</id>
<title>${escapeXml(news.title)}</title>
<subtitle>${escapeXml(news.description)}</subtitle>
<updated>${getUpdatedAt(news).toISOString()}</updated>
<author><name>${escapeXml(news.publisher)}</name></author>
<link rel="alternate" type="text/html" href="${escapeXml(news.page)}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(news.self)}"/>
<generator>Kalends</generator>
${entries.join('')}</feed>
`
}

function getUpdatedAt({ items, emptySince }: Feed): Date {
  const latest = Math.max(...items.map(({ updatedAt }) => updatedAt.getTime()))
  return items.length === 0 ? emptySince : new Date(latest)
}

const joinLines = (parts: string[]) => parts.map(part => `${part}\n`).join('')

/** Invalid in XML, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const invalidCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes text for element content and attributes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(invalidCharacters, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
