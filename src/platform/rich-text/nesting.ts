import { splitWords } from './html-entities.ts'
import { type Token, tokenize } from './html-tokens.ts'

/** Deeper than any real text. Parsing costs depth times tags, so a deeper text loses all its tags. */
export const depthMax = 200
/** Beyond it, formatting ends with its block: otherwise a few open tags before many blocks would make a text much longer. */
const reopenedMax = 500

export const tooDeep = new Error('nested too deeply')

interface OpenElement {
  name: string
  startTag: string
  isInline: boolean
  /** The text has no start tag for it. */
  isImplied: boolean
  /** Number of blocks around its start tag in the text. */
  level: number
}

interface Nesting {
  /** Tags and text. Whitespace is part of the piece before it. */
  pieces: string[]
  open: OpenElement[]
  /** Inline elements that a block has interrupted: they go on with the next text. */
  interrupted: OpenElement[]
  reopened: number
}

/**
 * Makes every element end within its parent, as browsers do: inline elements end with their block and go on in the next
 * one, a block ends the paragraph before it, items are in lists, cells in tables. End tags without a start tag are
 * dropped; tags that are not allowed in texts are left to the sanitizer.
 */
export function repairNesting(html: string): string {
  const nesting: Nesting = { pieces: [''], open: [], interrupted: [], reopened: 0 }
  for (const token of tokenize(html)) {
    addToken(nesting, token)
    if (nesting.open.length + nesting.interrupted.length > depthMax) throw tooDeep
  }
  closeFrom(nesting, 0)
  return nesting.pieces.join('')
}

const inlineTags = new Set(splitWords('a strong em b i u s del ins code span sub sup abbr cite q small mark time'))
/** Browsers continue these in the next block; the others end with their block. */
const formattingTags = new Set(splitWords('a strong em b i u s code small'))
/** They may contain blocks. */
const transparentTags = new Set(['a', 'ins', 'del'])
const headings = new Set(splitWords('h1 h2 h3 h4 h5 h6'))
const lists = new Map([
  ['li', ['ul', 'ol']],
  ['dt', ['dl']],
  ['dd', ['dl']]
])
const tableParts = new Map<string, string[]>([
  ...splitWords('caption thead tbody tfoot').map((name): [string, string[]] => [name, ['table']]),
  ['tr', splitWords('table thead tbody tfoot')],
  ['td', ['tr']],
  ['th', ['tr']]
])
const blockTags = new Set([
  ...headings,
  ...lists.keys(),
  ...tableParts.keys(),
  ...splitWords('p div ul ol dl blockquote pre hr figure figcaption table')
])
/** The element that text needs within elements that hold only certain others. */
const impliedChildren = new Map([
  ['ul', 'li'],
  ['ol', 'li'],
  ['dl', 'dd'],
  ...splitWords('table thead tbody tfoot').map(name => [name, 'tr'] as const),
  ['tr', 'td']
])
const cells = new Set(['td', 'th', 'caption'])
const isBlank = (text: string) => /^[ \t\n\r\f]*$/.test(text)

function addToken(nesting: Nesting, { name, closes, text }: Token): void {
  if (name === '') addText(nesting, text)
  else if (name === 'img') addContent(nesting, text)
  else if (name === 'br') addLineBreak(nesting, text)
  else if (inlineTags.has(name)) closes ? endInline(nesting, name) : beginInline(nesting, name, text)
  else if (!blockTags.has(name)) nesting.pieces.push(text)
  else if (closes) endBlock(nesting, name)
  else if (tableParts.has(name)) beginTablePart(nesting, name, text)
  else if (lists.has(name)) beginItem(nesting, name, text)
  else beginBlock(nesting, name, text)
}

function addText(nesting: Nesting, text: string): void {
  if (isBlank(text)) addBlank(nesting, text)
  else addContent(nesting, text)
}

function addBlank({ pieces }: Nesting, blank: string): void {
  pieces.push(`${pieces.pop() ?? ''}${blank}`)
}

function addContent(nesting: Nesting, text: string): void {
  openImpliedParents(nesting)
  for (const element of nesting.interrupted) {
    nesting.reopened += 1
    if (nesting.reopened > reopenedMax) break
    push(nesting, element)
  }
  nesting.interrupted = []
  nesting.pieces.push(text)
}

/** A line break between the items of a list or the rows of a table has no effect that authors want. */
function addLineBreak(nesting: Nesting, tag: string): void {
  const { name, isImplied } = getBlock(nesting)
  if (impliedChildren.has(name) && !isImplied) return
  openImpliedParents(nesting)
  nesting.pieces.push(tag)
}

const root: OpenElement = { name: '', startTag: '', isInline: false, isImplied: false, level: -1 }

const findBlock = ({ open }: Nesting) => open.findLastIndex(({ isInline }) => !isInline)
const getBlock = (nesting: Nesting) => nesting.open[findBlock(nesting)] ?? root

function push({ open, pieces }: Nesting, element: OpenElement): void {
  open.push(element)
  pieces.push(element.startTag)
}

function pushBlock(nesting: Nesting, name: string, tag?: string): void {
  const startTag = tag ?? `<${name}>`
  push(nesting, { name, startTag, isInline: false, isImplied: tag === undefined, level: getBlock(nesting).level + 1 })
}

/** Text directly in a list or table goes into the item or cell before it, else into a new one. */
function openImpliedParents(nesting: Nesting): void {
  for (;;) {
    const parent = getBlock(nesting)
    const child = impliedChildren.get(parent.name)
    if (child === undefined) return
    const [, ended, blank = ''] = /^<\/(li|dd|td|th)>(\s*)$/.exec(nesting.pieces.at(-1) ?? '') ?? []
    if (parent.isImplied && child !== 'tr' && child !== 'td') closeFrom(nesting, findBlock(nesting))
    else if (ended === undefined) pushBlock(nesting, child)
    else {
      nesting.pieces.pop()
      addBlank(nesting, blank)
      nesting.open.push({ ...root, name: ended, level: parent.level + 1 })
    }
  }
}

function beginInline(nesting: Nesting, name: string, startTag: string): void {
  if (name === 'a') endInline(nesting, name)
  if (getBlock(nesting).isImplied) openImpliedParents(nesting)
  const block = getBlock(nesting)
  const element = { name, startTag, isInline: true, isImplied: false, level: block.level + 1 }
  if (nesting.interrupted.length > 0 || impliedChildren.has(block.name)) nesting.interrupted.push(element)
  else push(nesting, element)
}

function endInline(nesting: Nesting, name: string): void {
  const interrupted = nesting.interrupted.findLastIndex(element => element.name === name)
  if (interrupted !== -1) {
    nesting.interrupted.splice(interrupted, 1)
    return
  }
  const index = findOpen(nesting, [name], endsScope)
  if (index !== -1) closeFrom(nesting, index, true)
}

const endsScope = new Set(['table', ...cells])
const endsItemScope = new Set([...endsScope, 'ul', 'ol'])
const endsTableScope = new Set(['table'])

/** The innermost open element with one of the names, unless it is outside of an element of the scope. */
function findOpen({ open }: Nesting, names: readonly string[], scope: ReadonlySet<string>): number {
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const name = open[index]?.name ?? ''
    if (names.includes(name)) return index
    if (scope.has(name)) return -1
  }
  return -1
}

function beginBlock(nesting: Nesting, given: string, text: string): void {
  closeParagraph(nesting)
  const [name, tag] = isLoneCaption(nesting, given) ? ['div', text.replace(/figcaption/i, 'div')] : [given, text]
  if (headings.has(name) && headings.has(getBlock(nesting).name)) closeFrom(nesting, findBlock(nesting))
  // A list of terms may group them.
  if (name !== 'div' || getBlock(nesting).name !== 'dl') openImpliedParents(nesting)
  interruptInlines(nesting, name)
  if (name === 'hr') nesting.pieces.push(tag)
  else pushBlock(nesting, name, tag)
}

/** A caption that belongs to no figure is an ordinary block. */
function isLoneCaption(nesting: Nesting, name: string): boolean {
  return name === 'figcaption' && getBlock(nesting).name !== 'figure'
}

function closeParagraph(nesting: Nesting): void {
  if (getBlock(nesting).name === 'p') closeFrom(nesting, findBlock(nesting))
}

/** Inline elements do not contain blocks, except a link around whole blocks and the like. */
function interruptInlines(nesting: Nesting, block: string): void {
  const from = findBlock(nesting) + 1
  const inlines = nesting.open.slice(from)
  if (block !== 'table' && inlines.every(({ name }) => transparentTags.has(name))) return
  while (nesting.open.length > from) interruptInline(nesting)
}

function interruptInline(nesting: Nesting): void {
  const element = nesting.open.pop() ?? root
  nesting.interrupted.unshift(element)
  const last = nesting.pieces.at(-1) ?? ''
  const rest = last.slice(element.startTag.length)
  if (last.startsWith(element.startTag) && isBlank(rest)) {
    nesting.pieces.pop()
    addBlank(nesting, rest)
  } else nesting.pieces.push(`</${element.name}>`)
}

/** An item ends the one before it, also out of a <div>. Outside of a list it gets one. */
function beginItem(nesting: Nesting, name: string, tag: string): void {
  closeParagraph(nesting)
  const parents = lists.get(name) ?? []
  const siblings = name === 'li' ? ['li'] : ['dt', 'dd']
  const index = nesting.open.findLastIndex(({ name: at, isInline }) => !isInline && at !== 'div')
  const found = nesting.open[index]?.name ?? ''
  if (siblings.includes(found)) closeFrom(nesting, index)
  else if (!parents.includes(found)) {
    openImpliedParents(nesting)
    interruptInlines(nesting, name)
    pushBlock(nesting, parents[0] ?? '')
  }
  interruptInlines(nesting, name)
  pushBlock(nesting, name, tag)
}

/** Outside of a table it is dropped, as browsers do. */
function beginTablePart(nesting: Nesting, name: string, tag: string): void {
  if (findOpen(nesting, ['table'], endsTableScope) === -1) return
  const parent = findOpen(nesting, tableParts.get(name) ?? [], endsTableScope)
  if (parent === -1) {
    beginTablePart(nesting, 'tr', '<tr>')
    beginTablePart(nesting, name, tag)
  } else {
    if (nesting.open.length > parent + 1) closeFrom(nesting, parent + 1)
    pushBlock(nesting, name, tag)
  }
}

function endBlock(nesting: Nesting, given: string): void {
  const isOpen = given !== 'figcaption' || findOpen(nesting, [given], endsScope) !== -1
  const name = isOpen ? given : 'div'
  const names = headings.has(name) ? [...headings] : [name]
  const itemScope = name === 'li' ? endsItemScope : endsScope
  const index = findOpen(nesting, names, tableParts.has(name) || name === 'table' ? endsTableScope : itemScope)
  if (index !== -1) closeFrom(nesting, index)
}

/** Closes an element and everything in it. An inline element whose end tag has not come goes on in the next block. */
function closeFrom(nesting: Nesting, index: number, isEndTag = false): void {
  const { open, pieces } = nesting
  while (open.length > index) {
    const element = open.at(-1) ?? root
    if (isEndTag && open.length === index + 1) {
      open.pop()
      pieces.push(`</${element.name}>`)
      nesting.interrupted = nesting.interrupted.filter(({ name }) => formattingTags.has(name))
    } else if (element.isInline) interruptInline(nesting)
    else {
      open.pop()
      pieces.push(`</${element.name}>`)
      const endsFormatting = cells.has(element.name)
      nesting.interrupted = nesting.interrupted.filter(
        ({ name, level }) => level <= element.level || (formattingTags.has(name) && !endsFormatting)
      )
    }
  }
}
