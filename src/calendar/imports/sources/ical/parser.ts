/** Parses the lines of an iCalendar text (RFC 5545, 3.1) into components. Linear: reads nothing twice for any input. */

export interface ContentLine {
  text: string
  /** From 1: the first line of the folded line in the file. */
  lineNumber: number
}

/** The content between BEGIN and END; its lines are parsed on demand. */
export interface Component {
  name: string
  lineNumber: number
  lines: ContentLine[]
  children: Component[]
  /** The END line is missing. */
  isTruncated: boolean
}

export interface Property {
  name: string
  parameters: Map<string, string>
  /** Raw: only callers that know the value type can unescape it. */
  value: string
  lineNumber: number
}

/** Deeper than any real calendar: components below this depth are dropped. */
const depthMax = 8

/** The top-level components; lines outside of any component are dropped. END also closes what is still open inside. */
export function parseComponents(text: string): Component[] {
  const root: Component = { name: '', lineNumber: 0, lines: [], children: [], isTruncated: false }
  const open = [root]
  for (const line of unfoldLines(text)) {
    const top = open.at(-1) ?? root
    const [, mark, named] = /^(BEGIN|END):\s*([\w-]{1,60})\s*$/i.exec(line.text) ?? []
    const name = named?.toUpperCase() ?? ''
    if (mark === undefined) top.lines.push(line)
    else if (mark.toUpperCase() === 'BEGIN')
      openComponent(open, { name, lineNumber: line.lineNumber, lines: [], children: [], isTruncated: false })
    else closeComponent(open, name)
  }
  for (const component of open) component.isTruncated = true
  return root.children
}

/** An event inside an event, or a calendar inside a component, means that an END line is missing. */
function openComponent(open: Component[], component: Component): void {
  const unclosed = open.findIndex(({ name }) => name === component.name)
  if (unclosed > 0) truncateFrom(open, unclosed)
  if (component.name === 'VCALENDAR' && open.length > 1) truncateFrom(open, 1)
  if (open.length < depthMax) open.at(-1)?.children.push(component)
  // A component that is too deep is still pushed, so that its END line matches it.
  if (open.length < 2 * depthMax) open.push(component)
}

function closeComponent(open: Component[], name: string): void {
  const place = open.findLastIndex(component => component.name === name)
  if (place < 1) return
  truncateFrom(open, place + 1)
  open.pop()
}

function truncateFrom(open: Component[], place: number): void {
  for (const component of open.splice(place)) component.isTruncated = true
}

/** Unfolds lines: those that begin with whitespace continue the previous one. */
function* unfoldLines(text: string): Generator<ContentLine> {
  let pieces: string[] = []
  let begun = 1
  let number = 0
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from)
    const to = next === -1 ? text.length : next
    const line = text.slice(from, text[to - 1] === '\r' && to > from ? to - 1 : to)
    from = to + 1
    number += 1
    if (pieces.length > 0 && (line.startsWith(' ') || line.startsWith('\t'))) {
      pieces.push(line.slice(1))
      continue
    }
    if (pieces.length > 0) yield { text: pieces.join(''), lineNumber: begun }
    pieces = line.trim() === '' ? [] : [line]
    begun = number
  }
  if (pieces.length > 0) yield { text: pieces.join(''), lineNumber: begun }
}

/** Returns undefined for anything that is not a content line. */
export function parseProperty({ text, lineNumber }: ContentLine): Property | undefined {
  const name = /^[\w.-]{1,100}/.exec(text)?.[0]
  if (name === undefined) return undefined
  const parameters = new Map<string, string>()
  let at = name.length
  while (text[at] === ';') {
    const equals = text.indexOf('=', at)
    if (equals === -1 || equals - at > 100) return undefined
    const end = findParameterEnd(text, equals + 1)
    const value = text
      .slice(equals + 1, end)
      .replaceAll('"', '')
      .replaceAll(/\^[n'^]/g, written => caretEscapes[written] ?? '')
    parameters.set(
      text
        .slice(at + 1, equals)
        .trim()
        .toUpperCase(),
      value
    )
    at = end
  }
  if (text[at] !== ':') return undefined
  // The name may have a group prefix, as in vCard: `item1.URL`.
  const plain = name.slice(name.lastIndexOf('.') + 1).toUpperCase()
  return { name: plain, parameters, value: text.slice(at + 1), lineNumber: lineNumber }
}

/** RFC 6868. */
const caretEscapes: Record<string, string> = { '^n': '\n', "^'": '"', '^^': '^' }

function findParameterEnd(text: string, from: number): number {
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const unit = text[at]
    if (unit === '"') quoted = !quoted
    else if (!quoted && (unit === ';' || unit === ':')) return at
  }
  return text.length
}

/** Unescapes a value of type TEXT. */
export function unescapeText(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\([\\;,:"nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped))
}

/** Longer than any real list. Also bounds the recursion of the pattern below. */
const listLengthMax = 20_000

/** Splits a text list such as CATEGORIES at commas that no backslash precedes. */
export function parseTextList(value: string): string[] {
  const items = value.slice(0, listLengthMax).match(/(?:\\[\s\S]|[^\\,])+/g) ?? []
  return items.map(item => unescapeText(item).trim()).filter(item => item !== '')
}
