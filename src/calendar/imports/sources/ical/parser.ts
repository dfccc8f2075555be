/** The lines of an iCalendar text (RFC 5545, 3.1), as components. Nothing is read more than once, whatever stands there. */

export interface ContentLine {
  text: string
  /** Counted from 1, where it begins in the file. */
  lineNumber: number
}

/** What stands between BEGIN and END; its lines are read when somebody asks for them. */
export interface Component {
  name: string
  lineNumber: number
  lines: ContentLine[]
  children: Component[]
  /** END is missing. */
  isTruncated: boolean
}

export interface Property {
  name: string
  parameters: Map<string, string>
  /** As it stands there: escapes are for those to read who know the type. */
  value: string
  lineNumber: number
}

/** Deeper than any calendar: what is inside of that is left out. */
const depthMax = 8

/** The components at the top, and lines that belong to none. Undefined entries in a list never occur: END ends what is open. */
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

/** An event in an event, or a calendar in one, means that END was forgotten. */
function openComponent(open: Component[], component: Component): void {
  const forgotten = open.findIndex(({ name }) => name === component.name)
  if (forgotten > 0) truncateFrom(open, forgotten)
  if (component.name === 'VCALENDAR' && open.length > 1) truncateFrom(open, 1)
  if (open.length < depthMax) open.at(-1)?.children.push(component)
  // What is too deep is still opened, so that its END finds it.
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

/** Lines, with those that begin with a blank put back behind the one before. */
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

/** Undefined if it is no line of a calendar. */
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
  // A name may carry a group, as in vCard: `item1.URL`.
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

/** A value of type TEXT without its escapes. */
export function unescapeText(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\([\\;,:"nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped))
}

/** More than any event has to list. It also bounds how deep the pattern below goes. */
const listLengthMax = 20_000

/** The texts of a list such as CATEGORIES: separated by commas, unless a backslash stands before. */
export function parseTextList(value: string): string[] {
  const items = value.slice(0, listLengthMax).match(/(?:\\[\s\S]|[^\\,])+/g) ?? []
  return items.map(item => unescapeText(item).trim()).filter(item => item !== '')
}
