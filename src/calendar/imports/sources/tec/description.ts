import { buildText } from '#platform/messages/messages.ts'
import { allowedTags, decodeEntities, normalizeHost } from '#platform/rich-text/html.ts'
import { tokenize } from '#platform/rich-text/html-tokens.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { newFileStayedReason, type Reason } from '../reason.ts'
import type { IncomingFile, IncomingImage } from '../source.ts'

/**
 * Prepares a rendered description of WordPress for our sanitizer: embedded pages and media become links, addresses
 * become absolute, and what changes with every response (ids, counters, nonces) is removed, so that an untouched text is
 * the same in the next import.
 */
export function normalizeDescription(html: string, about: DescriptionContext): NormalizedDescription {
  const notes: Reason[] = []
  const images = new Map<string, IncomingImage>()
  const written: string[] = []
  for (const token of tokenize(replaceEmbeds(html, notes))) {
    if (token.name === '') written.push(token.text)
    else if (token.closes) written.push(`</${token.name}>`)
    else if (token.name !== '!' && token.name !== '?') written.push(writeTag(token, about, images))
  }
  const links = [...new Set(listLinkedFiles(written, about))]
  const files = links.filter(url => copiedFile.test(url)).slice(0, filesMax)
  notes.push(...links.filter(url => !files.includes(url)).map(newFileStayedReason))
  const removed = listRemovedTags(html)
  if (removed.length > 0) notes.push(newMarkupRemovedReason(removed))
  return {
    html: written.join(''),
    notes,
    images: [...images.values()].slice(0, imagesMax),
    files: files.map(url => ({ url }))
  }
}

export interface DescriptionContext {
  /** The URL of the page that shows the text. */
  page: string | undefined
  /** The hosts of the site, whose images are copied. */
  hosts: Set<string>
  /** Alternative texts by image id. */
  alts: Map<string, string>
}

interface NormalizedDescription {
  html: string
  notes: Reason[]
  /** Images of the site, with the URLs that are in the text now. */
  images: IncomingImage[]
  files: IncomingFile[]
}

/** Images that are copied per text: more than any real event has, few enough to end. */
const imagesMax = 50
/** Files that are copied per text. */
const filesMax = 20

/** Attributes that the sanitizer keeps. */
const keptAttributes = new Set(
  [
    ['alt', 'cite', 'colspan', 'datetime', 'dir', 'height', 'href', 'lang', 'loading', 'reversed', 'rowspan', 'scope'],
    ['src', 'start', 'target', 'title', 'type', 'value', 'width']
  ].flat()
)

/** Longer tags than this are no real ones; the limit bounds the search for their end. */
const embed = /<(iframe|embed|object|audio|video|source)\b([^<>]{0,4000})>|<\/(?:iframe|embed|object)\s*>/gi
/** WordPress writes a bare address where the site could not expand it. */
const unexpandedEmbed =
  /(<div class="wp-block-embed__wrapper">\s{0,10})(https?:\/\/[^\s<>"']{1,2000})(?=\s{0,10}<\/div>)/gi

function replaceEmbeds(html: string, notes: Reason[]): string {
  const linked = html.replace(unexpandedEmbed, (_all, begin: string, url: string) => {
    notes.push(newEmbedNote(decodeEntities(url)))
    return `${begin}<a href="${url}">${url}</a>`
  })
  return linked.replace(embed, (_tag, name?: string, attributes = '') => {
    if (name === undefined) return ''
    const given = parseAttributes(attributes)
    const address = decodeEntities(given.get('src') ?? given.get('data') ?? '').trim()
    // The link before it remains, and the file block has a link of its own.
    const isRepeated = /wp-embedded-content|wp-block-file__embed/.test(given.get('class') ?? '')
    // A player has a link inside for browsers without one.
    const hasLink = name.toLowerCase() === 'source' || /-shortcode\b/.test(given.get('class') ?? '')
    if (isRepeated || hasLink || !/^(?:https?:)?\/\//i.test(address)) return ''
    const url = toPageUrl(address)
    notes.push(newEmbedNote(url))
    return `<p><a href="${escapeAttribute(url)}">${escapeAttribute(url)}</a></p>`
  })
}

/** The page of an embedded video, which can be opened outside a frame. */
function toPageUrl(address: string): string {
  const url = address.startsWith('//') ? `https:${address}` : address
  const [, video] = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{5,20})/i.exec(url) ?? []
  if (video !== undefined) return `https://www.youtube.com/watch?v=${video}`
  const [, film] = /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,15})/i.exec(url) ?? []
  return film === undefined ? url : `https://vimeo.com/${film}`
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** The attributes of a tag, with their values as they are written. */
export function parseAttributes(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(attribute)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare ?? ''
    ])
  )
}

function writeTag(
  { name, text }: { name: string; text: string },
  about: DescriptionContext,
  images: Map<string, IncomingImage>
): string {
  const given = parseAttributes(text.slice(name.length + 1))
  const [, id = ''] = /\bwp-image-(\d{1,17})\b/.exec(given.get('class') ?? '') ?? []
  const alt = about.alts.get(id)
  if (name === 'img' && alt !== undefined && !given.get('alt')) given.set('alt', escapeAttribute(alt))
  for (const key of ['href', 'src']) {
    const address = given.get(key)
    if (address === undefined) continue
    const url = toAbsolute(address, about.page)
    given.set(key, url === undefined ? address : escapeAttribute(url))
    const isImage = name === 'img' ? key === 'src' : name === 'a' && imageFile.test(url ?? '')
    if (url === undefined || !isImage || !isOwn(url, about)) continue
    const described = decodeEntities(given.get('alt') ?? '')
    if (!images.has(url)) images.set(url, described === '' ? { url } : { url, alt: described })
  }
  const attributes = [...given].flatMap(([key, value]) =>
    keptAttributes.has(key) ? ` ${key}="${value.replaceAll('"', '&quot;')}"` : []
  )
  return `<${name}${attributes.join('')}>`
}

const imageFile = /\.(?:jpe?g|png|gif|webp|avif)$/i
const linkedFile = /^<a\s[^>]*?\bhref="([^"]{1,2000}\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|zip|mp3|mp4|ics))"/i

const copiedFile = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp])$/i

const isOwn = (url: string, { hosts }: DescriptionContext) => hosts.has(normalizeHost(new URL(url).host))

/** Files of the site that are not images. */
function listLinkedFiles(written: string[], about: DescriptionContext): string[] {
  return written.flatMap(piece => {
    const url = decodeEntities(linkedFile.exec(piece)?.[1] ?? '')
    return canParseUrl(url) && isOwn(url, about) ? [url] : []
  })
}

/** The web address in an attribute. Relative ones are those of the old site; a fragment stays within the text. */
function toAbsolute(value: string, page: string | undefined): string | undefined {
  const address = decodeEntities(value).trim()
  if (address.startsWith('#') || !canParseUrl(address, page)) return undefined
  const url = new URL(address, page)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Elements that become links have a note of their own. */
const replacedTags = new Set(['iframe', 'embed', 'object', 'audio', 'video', 'source', 'param', 'track'])
const openingTag = /<([a-z][a-z0-9-]{0,30})(?=[\s/>])/gi

/** Names of elements that the sanitizer removes. */
function listRemovedTags(html: string): string[] {
  const names = new Set([...html.matchAll(openingTag)].map(([, name = '']) => name.toLowerCase()))
  return [...names].filter(name => !allowedTags.has(name) && !replacedTags.has(name)).sort()
}

const newMarkupRemovedReason = (tags: string[]): Reason => ({
  code: 'markup-removed',
  ...buildText('import-source-reasons', 'markupRemoved', { tags: tags.join(', ').slice(0, 300) })
})

const newEmbedNote = (url: string): Reason => ({
  code: 'embed-became-link',
  ...buildText('import-source-reasons', 'embedBecameLink', { url: url.slice(0, 300) })
})
