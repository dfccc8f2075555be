import type { Language } from '#platform/language.ts'

/** What there is to tell, the newest first: once as RSS, once as Atom. */
export interface News {
  title: string
  description: string
  language: Language
  /** Where it stands for people, and where this very feed is. */
  page: string
  self: string
  /** What it is about: never changes. */
  id: string
  publisher: string
  items: NewsItem[]
  /** Where there is no item that could say when something changed. */
  emptySince: Date
}

export interface NewsItem {
  /** Stays when its title or its address changes. */
  id: string
  title: string
  page: string
  publishedAt: Date
  updatedAt: Date
  /** HTML. */
  summary: string
  categories: string[]
  image: NewsImage | undefined
}

export interface NewsImage {
  url: string
  type: string
  /** 0 where nobody knows. */
  bytes: number
}

export const rssType = 'application/rss+xml; charset=utf-8'
export const atomType = 'application/atom+xml; charset=utf-8'

/** RSS 2.0. */
export function rssOf(news: News): string {
  const items = news.items.map(
    ({ id, title, page, publishedAt, summary, categories, image }) => `<item>
<title>${xml(title)}</title>
<link>${xml(page)}</link>
<guid isPermaLink="false">${xml(id)}</guid>
<pubDate>${publishedAt.toUTCString()}</pubDate>
<description>${xml(summary)}</description>
${lines(categories.map(name => `<category>${xml(name)}</category>`))}${
  image === undefined ? '' : `<enclosure url="${xml(image.url)}" length="${image.bytes}" type="${xml(image.type)}"/>\n`
}</item>
`
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xml(news.title)}</title>
<link>${xml(news.page)}</link>
<description>${xml(news.description)}</description>
<language>${news.language}</language>
<lastBuildDate>${changedAt(news).toUTCString()}</lastBuildDate>
<ttl>60</ttl>
<generator>Kalends</generator>
<atom:link rel="self" type="application/rss+xml" href="${xml(news.self)}"/>
${items.join('')}</channel>
</rss>
`
}

/** RFC 4287. */
export function atomOf(news: News): string {
  const entries = news.items.map(
    ({ id, title, page, publishedAt, updatedAt, summary, categories, image }) => `<entry>
<id>${xml(id)}</id>
<title>${xml(title)}</title>
<link rel="alternate" type="text/html" href="${xml(page)}"/>
${
  image === undefined
    ? ''
    : `<link rel="enclosure" type="${xml(image.type)}"${image.bytes === 0 ? '' : ` length="${image.bytes}"`} href="${xml(image.url)}"/>\n`
}<published>${publishedAt.toISOString()}</published>
<updated>${updatedAt.toISOString()}</updated>
${lines(categories.map(name => `<category term="${xml(name)}"/>`))}<summary type="html">${xml(summary)}</summary>
</entry>
`
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${news.language}">
<id>${xml(news.id)}</id>
<title>${xml(news.title)}</title>
<subtitle>${xml(news.description)}</subtitle>
<updated>${changedAt(news).toISOString()}</updated>
<author><name>${xml(news.publisher)}</name></author>
<link rel="alternate" type="text/html" href="${xml(news.page)}"/>
<link rel="self" type="application/atom+xml" href="${xml(news.self)}"/>
<generator>Kalends</generator>
${entries.join('')}</feed>
`
}

function changedAt({ items, emptySince }: News): Date {
  const latest = Math.max(...items.map(({ updatedAt }) => updatedAt.getTime()))
  return items.length === 0 ? emptySince : new Date(latest)
}

const lines = (parts: string[]) => parts.map(part => `${part}\n`).join('')

/** Not in any XML, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Text that nothing in it can end, for the content of an element and for an attribute. */
export function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(impossible, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
