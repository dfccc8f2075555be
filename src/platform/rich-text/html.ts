import type sanitizeHtml from 'sanitize-html'
import { requireLazily } from '../lazy-require.ts'
import { canParseUrl } from '../url/parse-url.ts'
import { htmlEntities, splitWords } from './html-entities.ts'
import { nonTextTags, tokenize } from './html-tokens.ts'
import { depthMax, repairNesting, tooDeep } from './nesting.ts'

const loadSanitizer = requireLazily<typeof sanitizeHtml>('sanitize-html')

/** More tags and entities than any real text; each one blocks the event loop. Beyond it, one line of text remains. */
const piecesMax = 20_000

/** Hosts whose links need no `nofollow ugc`, without `www.`: those of the site itself. */
export type OwnHosts = ReadonlySet<string>
export const noHosts: OwnHosts = new Set()

/** The one sanitizing policy for all roles, applied on write. The result is well nested. Sanitizing twice changes nothing. */
export function sanitize(html: string, ownHosts: OwnHosts = noHosts): string {
  if (hasTooManyPieces(html)) return stripMarkup(html)
  // The parser of the sanitizer ends an inline element with its block; here it still goes on in the next one.
  let safe = keepWordsIfTooDeep(stripControls(html), repairNesting)
  for (let pass = 0; pass < passesMax; pass++) {
    if (hasTooManyPieces(safe)) return stripMarkup(safe)
    const before = safe
    safe = keepWordsIfTooDeep(before, text => repairNesting(sanitizeOnce(text, ownHosts)))
    if (safe === before) return safe
  }
  return escapeHtml(toMultilineText(safe))
}

/** A title or name: no tags, no entities, no line breaks. A lone `<` is kept as a character. */
export function toSingleLineText(text: string): string {
  const plain: string[] = []
  for (const token of tokenize(stripControls(text))) {
    if (token.name === '') plain.push(token.text)
    // Keep separated words separate, and do not let the remains of two tags form a third.
    else if (breaksAfter.has(token.name) || plain.at(-1)?.endsWith('<')) plain.push(' ')
  }
  return stripControls(decodeEntities(plain.join('')))
    .replace(/\s+/g, ' ')
    .trim()
}

/** HTML as text, for search and iCalendar: blocks end with a line break, paragraphs with a blank line. */
export function toMultilineText(html: string): string {
  const lines: string[] = []
  let breaks = 0
  let fresh = true
  for (const token of tokenize(stripControls(html))) {
    if (token.name === '') {
      const text = fresh ? token.text.trimStart() : token.text
      if (text === '') continue
      if (lines.length > 0) lines.push('\n'.repeat(Math.min(2, breaks)))
      lines.push(decodeEntities(text))
      breaks = 0
      fresh = false
    } else if (breaksAfter.has(token.name)) {
      breaks = token.name === 'br' ? breaks + 1 : Math.max(breaks, breaksAfter.get(token.name) ?? 0)
      if (breaks === 0) lines.push(' ')
      fresh = true
    }
  }
  return stripControls(lines.join(''))
    .replace(/\s{2,}|[^\S ]/g, blanks => '\n'.repeat(Math.min(2, blanks.split('\n').length - 1)) || ' ')
    .trim()
}

/**
 * Removing disallowed tags can change the nesting, and an entity can hide a control character inside a URL scheme: a
 * text is safe only when another pass changes nothing. Usually that takes two passes.
 */
const passesMax = 6

function sanitizeOnce(html: string, ownHosts: OwnHosts): string {
  // Only sequences that end with a semicolon are entities: `Rock&Reggae` has none, although browsers may see one.
  const whole = stripControls(html).replace(/&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi, '&amp;')
  let depth = 0
  const onOpenTag = () => {
    depth += 1
    if (depth > depthMax) throw tooDeep
  }
  const onCloseTag = () => {
    depth -= 1
  }
  return stripControls(
    loadSanitizer()(whole, { ...policy, transformTags: newTransforms(ownHosts), onOpenTag, onCloseTag })
  )
}

function keepWordsIfTooDeep(html: string, clean: (html: string) => string): string {
  try {
    return clean(html)
  } catch (error) {
    if (error !== tooDeep) throw error
    return escapeHtml(toMultilineText(html))
  }
}

/** Removes tags, entities and anything that could become one. */
function stripMarkup(html: string): string {
  return toSingleLineText(html.replace(/&[#\w]{0,32};?/g, ' ')).replace(/ ?[<>&] ?/g, ' ')
}

function hasTooManyPieces(html: string): boolean {
  let pieces = 0
  for (let at = 0; at < html.length && pieces <= piecesMax; at += 1) {
    if (html[at] === '<' || html[at] === '&') pieces += 1
  }
  return pieces > piecesMax
}

export const allowedTags: ReadonlySet<string> = new Set(
  splitWords(
    `p br h1 h2 h3 h4 h5 h6 a strong em b i u s del ins ul ol li blockquote pre code hr img figure figcaption
    table thead tbody tfoot tr th td caption span div sub sup dl dt dd abbr cite q small mark time`
  )
)

const policy: sanitizeHtml.IOptions = {
  allowedTags: [...allowedTags],
  allowedAttributes: {
    '*': ['lang', 'dir', 'title'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
    del: ['datetime'],
    ins: ['datetime']
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  nonTextTags
}

function newTransforms(ownHosts: OwnHosts): sanitizeHtml.IOptions['transformTags'] {
  return {
    a: (tagName, { target, rel: _, ...attribs }) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(target === '_blank' && { target }),
        rel: isOwnLink(attribs.href ?? '', ownHosts) ? 'noopener' : 'noopener nofollow ugc'
      }
    }),
    img: (tagName, { loading, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...((loading === 'lazy' || loading === 'eager') && { loading }) }
    })
  }
}

/** Stands for the page that shows the text. */
const page = new URL('https://page.invalid')

/** Whether a browser stays on the site with this link: relative addresses do. */
function isOwnLink(href: string, ownHosts: OwnHosts): boolean {
  if (href.trim() === '' || !canParseUrl(href, page.href)) return false
  const { protocol, host } = new URL(href, page)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return host === page.host || ownHosts.has(normalizeHost(host))
}

export const normalizeHost = (host: string) => host.replace(/^www\./, '')

/** Number of line breaks after a tag in plain text; table cells stay on one line. */
const breaksAfter = new Map([
  ...splitWords('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre figure table').map(name => [name, 2] as const),
  ...splitWords('br div li dt dd hr tr caption figcaption').map(name => [name, 1] as const),
  ...splitWords('td th').map(name => [name, 0] as const)
])

/** Removes control characters except tabs and line breaks, and lone surrogates. */
export function stripControls(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,9}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return htmlEntities.get(name) ?? entity
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    if (code > 0x10ffff) return ''
    // Windows-1252 code points, as browsers interpret them.
    if (code >= 128 && code <= 159) return windows1252[code - 128] ?? ''
    return String.fromCodePoint(code)
  })
}

const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
