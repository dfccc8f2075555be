import type sanitizeHtml from 'sanitize-html'
import { requireLazily } from '#platform/lazy-require.ts'
import { htmlEntities, splitWords } from './html-entities.ts'

const loadSanitizer = requireLazily<typeof sanitizeHtml>('sanitize-html')

/** Deeper than any real text. Parsing costs depth times tags, so a deeper text loses all its tags. */
const depthMax = 200
/** More tags and entities than any real text; each one blocks the event loop. Beyond it, one line of text remains. */
const piecesMax = 20_000

/** The one sanitizing policy for all roles, applied on write. Sanitizing twice changes nothing. */
export function sanitize(html: string): string {
  let safe = html
  for (let pass = 0; pass < passesMax; pass++) {
    if (hasTooManyPieces(safe)) return stripMarkup(safe)
    const before = safe
    safe = sanitizeOnce(before)
    if (safe === before) return safe
  }
  return escapeHtml(toMultilineText(safe))
}

/** Adds paragraphs as WordPress' wpautop does; expects the output of `sanitize`. */
export function addParagraphs(html: string): string {
  const pieces: Piece[] = []
  const root: Block = { name: '', tag: '', mixed: true, inlineDepthOutside: 0 }
  const open: Block[] = []
  const openOf = new Map<string, number>()
  let run: Token[] = []
  let inlineDepth = 0
  let inlineDepthAtStart = 0
  let preformatted = ''
  let preformattedDepth = 0

  const top = () => open.at(-1) ?? root
  const endRun = () => {
    const block = top()
    const balanced = inlineDepth === 0 && inlineDepthAtStart === 0
    inlineDepthAtStart = inlineDepth
    if (run.length === 0) return
    const lines = toLines(run, balanced && holdsParagraphs.has(block.name))
    if (lines.paragraphs.length > 1) block.mixed = true
    if (lines.paragraphs.length > 0) pieces.push({ kind: 'run', block, balanced, ...lines })
    run = []
  }
  const begin = (token: Token) => {
    top().mixed = true
    const block = { name: token.name, tag: token.text, mixed: false, inlineDepthOutside: inlineDepth }
    open.push(block)
    openOf.set(block.name, (openOf.get(block.name) ?? 0) + 1)
    pieces.push({ kind: 'open', text: token.text })
    inlineDepth = inlineDepthAtStart = 0
  }
  const end = () => {
    const block = open.pop() ?? root
    openOf.set(block.name, (openOf.get(block.name) ?? 1) - 1)
    const goes = block.name === 'p' && block.inlineDepthOutside === 0 && wrapsText.has(top().name)
    if (goes && pieces.at(-1)?.kind === 'open') pieces.pop()
    else pieces.push({ kind: 'close', text: `</${block.name}>` })
    inlineDepth = inlineDepthAtStart = block.inlineDepthOutside
  }

  for (const token of tokenize(html.replace(/\r\n?/g, '\n'))) {
    if (preformatted !== '') {
      preformatted += token.text
      if (token.name === 'pre') preformattedDepth += token.closes ? -1 : 1
      if (preformattedDepth > 0) continue
      pieces.push({ kind: 'whole', text: preformatted })
      preformatted = ''
    } else if (!blocks.has(token.name)) {
      run.push(token)
      if (!voidTags.has(token.name)) inlineDepth = Math.max(0, inlineDepth + (token.closes ? -1 : 1))
    } else {
      endRun()
      if (token.name === 'pre' && !token.closes) {
        top().mixed = true
        preformatted = token.text
        preformattedDepth = 1
      } else if (token.name === 'hr') {
        top().mixed = true
        pieces.push({ kind: 'whole', text: token.text })
      } else if (!token.closes) {
        begin(token)
      } else if ((openOf.get(token.name) ?? 0) > 0) {
        while (top().name !== token.name) end()
        end()
      }
    }
  }
  endRun()
  if (preformatted !== '') pieces.push({ kind: 'whole', text: preformatted })
  while (open.length > 0) end()
  return renderPieces(pieces)
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

function sanitizeOnce(html: string): string {
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
  try {
    return stripControls(loadSanitizer()(whole, { ...policy, onOpenTag, onCloseTag }))
  } catch (error) {
    if (error !== tooDeep) throw error
    return escapeHtml(toMultilineText(whole))
  }
}

const tooDeep = new Error('nested too deeply')

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

/** Elements that hold no readable text: removed with their content. */
const nonTextTags = splitWords('script style iframe noscript noembed noframes textarea option xmp title')

const policy: sanitizeHtml.IOptions = {
  allowedTags: splitWords(
    `p br h1 h2 h3 h4 h5 h6 a strong em b i u s del ins ul ol li blockquote pre code hr img figure figcaption
    table thead tbody tfoot tr th td caption span div sub sup dl dt dd abbr cite q small mark time`
  ),
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
  nonTextTags,
  transformTags: {
    a: (tagName, { target, rel: _, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...(target === '_blank' && { target }), rel: 'noopener nofollow ugc' }
    }),
    img: (tagName, { loading, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...((loading === 'lazy' || loading === 'eager') && { loading }) }
    })
  }
}

interface Token {
  /** The tag in lower case; '' for text, '!' for a comment and the like. */
  name: string
  closes: boolean
  text: string
}

const tagStart = /<(\/?)([a-z][^\s/>]*|[!?])/gi
const attributeValue = /[^>"']*["'>]/y
const valuePattern = /=\s*["']$/

/** Tags and the text between them, without invisible elements. Single pass: a failed search is never repeated. */
function* tokenize(html: string): Generator<Token> {
  const last = html.lastIndexOf('>')
  let at = 0
  let textFrom = 0
  let quotesMatter = true
  let commentsEnd = true
  const endOfTag = (from: number): number => {
    let end = from
    while (quotesMatter) {
      attributeValue.lastIndex = end
      const step = attributeValue.exec(html)?.[0] ?? ''
      end += step.length
      if (step.endsWith('>')) return end
      if (valuePattern.test(step.slice(-20))) end = html.indexOf(step.slice(-1), end) + 1
      if (step === '' || end === 0) quotesMatter = false
    }
    return html.indexOf('>', from) + 1
  }
  while (at <= last) {
    tagStart.lastIndex = at
    const found = tagStart.exec(html)
    if (found === null || found.index > last) break
    const [begin, slash, name = ''] = found
    at = found.index
    const token = { name: name.toLowerCase(), closes: slash === '/', text: '' }
    let end = 0
    if (commentsEnd && html.startsWith('<!--', at)) {
      end = html.indexOf('-->', at + 4) + 3
      commentsEnd = end !== 2
    }
    if (end <= 2) end = endOfTag(at + begin.length)
    if (at > textFrom) yield { name: '', closes: false, text: html.slice(textFrom, at) }
    if (nonTextTagSet.has(token.name) && !token.closes) {
      const closing = new RegExp(`</${token.name}(?=[\\s/>])`, 'gi')
      closing.lastIndex = end
      end = closing.test(html) ? endOfTag(closing.lastIndex) || html.length : html.length
    } else {
      token.text = html.slice(at, end)
      yield token
    }
    at = end
    textFrom = end
  }
  if (textFrom < html.length) yield { name: '', closes: false, text: html.slice(textFrom) }
}

const nonTextTagSet = new Set(nonTextTags)
/** Tokens without an end tag, including text. */
const voidTags = new Set(['', '!', '?', 'br', 'img'])
const blocks = new Set(
  splitWords(
    'p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr figure table thead tbody tfoot tr td th caption'
  )
)
const wrapsText = new Set(['', 'blockquote', 'div'])
const holdsParagraphs = new Set(['', ...splitWords('p div blockquote li dd td th')])

/** Number of line breaks after a tag in plain text; table cells stay on one line. */
const breaksAfter = new Map([
  ...splitWords('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre figure table').map(name => [name, 2] as const),
  ...splitWords('br div li dt dd hr tr caption figcaption').map(name => [name, 1] as const),
  ...splitWords('td th').map(name => [name, 0] as const)
])

interface Block {
  name: string
  tag: string
  /** Contains other blocks or several paragraphs, so its text needs paragraphs too. */
  mixed: boolean
  inlineDepthOutside: number
}

interface Lines {
  before: string
  paragraphs: string[]
  after: string
}

type Piece =
  | { kind: 'open' | 'close' | 'whole'; text: string }
  | ({ kind: 'run'; block: Block; balanced: boolean } & Lines)

/** Text and inline tags with explicit line breaks; `before` and `after` are the surrounding whitespace. */
function toLines(run: Token[], splits: boolean): Lines {
  const paragraphs: string[] = []
  let paragraph = ''
  let before: string | undefined
  let gap = ''
  let depth = 0
  const add = (text: string) => {
    if (before === undefined) before = trimEdge(gap)
    else if (/^[ \t]*$/.test(gap)) paragraph += gap
    else if (!isParagraphEnd(gap)) paragraph += gap.includes('\n') ? '<br />\n' : '<br />'
    else if (!splits || depth > 0) paragraph += '<br />\n<br />\n'
    else {
      paragraphs.push(paragraph)
      paragraph = ''
    }
    gap = ''
    paragraph += text
  }
  let afterCaption = false
  for (const token of run) {
    if (token.name === 'br') gap += '\r'
    else if (token.name === '') {
      for (const [, blank = '', words = ''] of token.text.matchAll(/([ \t\n]*)([^ \t\n](?:[^\n]*[^ \t\n])?)?/g)) {
        if (!afterCaption) gap += blank
        if (words === '') continue
        add(words)
        afterCaption = false
      }
    } else {
      if (token.name === 'figcaption' && !token.closes) gap = ''
      add(token.text)
      afterCaption = token.name === 'figcaption' && token.closes
      if (!voidTags.has(token.name)) depth = Math.max(0, depth + (token.closes ? -1 : 1))
    }
  }
  if (before !== undefined) paragraphs.push(paragraph)
  return { before: before ?? '', paragraphs, after: trimEdge(gap) }
}

/** In a gap a <br> is a carriage return. */
function isParagraphEnd(gap: string): boolean {
  return gap.indexOf('\r') !== gap.lastIndexOf('\r') || /\n[ \t]*\n/.test(gap)
}

/** Whitespace beside a block has no meaning; a line break there is kept as sent. */
function trimEdge(gap: string): string {
  return gap.includes('\n') ? '\n' : ''
}

function renderPieces(pieces: Piece[]): string {
  const html: string[] = []
  let blockEnded = false
  for (const piece of pieces) {
    const wrapped = piece.kind === 'run' && isWrapped(piece)
    const onNewLine = html.length === 0 || html.at(-1)?.endsWith('\n')
    const wantsNewLine = blockEnded || wrapped || piece.kind === 'open' || piece.kind === 'whole'
    if (wantsNewLine && !onNewLine) html.push('\n')
    if (piece.kind !== 'run') html.push(piece.text)
    else if (wrapped) html.push(piece.paragraphs.map(paragraph => `<p>${paragraph}</p>`).join('\n'))
    else {
      if (!wantsNewLine && !onNewLine) html.push(piece.before)
      html.push(piece.paragraphs.join(`</p>\n${piece.block.tag}`), piece.after)
    }
    blockEnded = wrapped || piece.kind === 'close' || piece.kind === 'whole'
  }
  return html.join('').trimEnd()
}

function isWrapped({ block, balanced, paragraphs }: Lines & { block: Block; balanced: boolean }): boolean {
  if (!balanced || block.name === 'p') return false
  if (wrapsText.has(block.name)) return block.name !== 'div' || block.mixed
  return paragraphs.length > 1
}

function stripControls(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function decodeEntities(text: string): string {
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
