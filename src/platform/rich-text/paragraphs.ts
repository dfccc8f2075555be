import { splitWords } from './html-entities.ts'
import { type Token, tokenize, voidTags } from './html-tokens.ts'

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

const blocks = new Set(
  splitWords(
    'p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr figure table thead tbody tfoot tr td th caption'
  )
)
const wrapsText = new Set(['', 'blockquote', 'div'])
const holdsParagraphs = new Set(['', ...splitWords('p div blockquote li dd td th')])

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
