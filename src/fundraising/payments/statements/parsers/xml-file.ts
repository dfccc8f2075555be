import { setImmediate } from 'node:timers/promises'
import type { SaxesParser, SaxesTagNS } from 'saxes'
import { requireLazily } from '#platform/lazy-require.ts'
import { buildText } from '#platform/messages/messages.ts'
import { entriesMax, newNotAStatementProblem, newTooManyEntriesProblem, StatementFileProblem } from './file-problems.ts'
import type { ParsedStatement } from './parse-statement.ts'
import type { Entry, ParsedPayment } from './parsed-entry.ts'
import { decodeChunks } from './text-chunks.ts'
import { newXmlNode, type XmlNode } from './xml-node.ts'

const saxes = requireLazily<typeof import('saxes')>('saxes')

/** Statements are about twenty levels deep. */
const depthMax = 50
/** Texts of a statement have at most 500 characters; supplements of banks can be longer. */
const textLengthMax = 100_000
/** The limit for a collected element without its parts, and for a single part. */
const nodesMax = 5000

/** A type of ISO 20022 message: which elements to read, and how to convert them to payments. */
export interface MessageParser {
  /** Such as `camt.053.001.08`. */
  format: string
  namespace: string
  /** Elements of interest are collected from this depth on; the document is at depth 1. */
  collectedFrom: number
  /** Decides for elements outside a collected one; inside a collected element everything is kept. */
  isOfInterest(name: string, depth: number): boolean
  /** Called for elements of interest above the collected depth. */
  enter(depth: number): void
  /** Parts are taken when they end, so that an element with thousands of them stays small. */
  isPart(node: XmlNode, parent: XmlNode): boolean
  takePart(part: XmlNode, of: XmlNode): void
  /** Converts a completely collected element. */
  take(node: XmlNode): ParsedPayment[]
  /** Returns what is known only at the end of the file; throws if something is missing. */
  end(): ParsedPayment[]
}

/** Parses an XML file. The bytes are in memory; of the parsed elements only one collected element is kept at a time. */
export function parseXmlFile(bytes: Buffer, open: (namespace: string) => MessageParser | undefined): ParsedStatement {
  const chunks = decodeChunks(bytes)
  const file = openFile(open)
  while (file.format() === undefined) {
    const { done, value } = chunks.next()
    if (done === true) break
    file.write(value)
  }
  const format = file.format()
  // Reports the error of a file that ends before its root element.
  if (format === undefined) file.end()
  if (format === undefined) throw newNotAStatementProblem()
  return {
    meta: { format },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* file.taken()
        const { done, value } = chunks.next()
        if (done === true) break
        file.write(value)
        await setImmediate()
      }
      file.end()
      yield* file.taken()
    }
  }
}

function openFile(open: (namespace: string) => MessageParser | undefined) {
  const parser = new (saxes().SaxesParser)({ xmlns: true }) as SaxesParser<{ xmlns: true }>
  let message: MessageParser | undefined
  let depth = 0
  /** The depth of the element whose descendants are skipped; 0 if none. */
  let skipped = 0
  /** The open elements from the collected one down. */
  const around: XmlNode[] = []
  let nodes = 0
  let parts = 0
  let entries: Entry[] = []
  let count = 0

  parser.on('error', () => {
    throw newBrokenXmlProblem(parser.line)
  })
  parser.on('doctype', () => {
    throw newDoctypeProblem(parser.line)
  })
  parser.on('text', text => keep(text))
  parser.on('cdata', text => keep(text))
  parser.on('opentag', tag => {
    depth += 1
    if (depth > depthMax) throw newTooDeepProblem(parser.line)
    if (skipped > 0) return
    if (depth === 1) message = openMessage(tag)
    if (tag.uri === message?.namespace && isOfInterest(message, tag.local)) collect(message, tag)
    else skipped = depth
  })
  parser.on('closetag', () => {
    if (skipped === depth) skipped = 0
    else if (skipped === 0 && around.length > 0 && message !== undefined) leave(message)
    depth -= 1
  })

  function openMessage({ local, uri }: SaxesTagNS): MessageParser {
    const found = local === 'Document' ? open(uri) : undefined
    if (found === undefined) throw newNotAStatementProblem()
    return found
  }

  function keep(text: string): void {
    if (text.length > textLengthMax) throw newTextTooLongProblem(parser.line)
    const node = around.at(-1)
    if (node !== undefined && skipped === 0) node.text += text
  }

  function isOfInterest(of: MessageParser, name: string): boolean {
    return depth === 1 || around.length > 0 || of.isOfInterest(name, depth)
  }

  function collect(of: MessageParser, { local, attributes }: SaxesTagNS): void {
    if (depth < of.collectedFrom) {
      of.enter(depth)
      return
    }
    nodes += 1
    if (nodes > nodesMax) throw newTooManyElementsProblem(parser.line)
    const node = newXmlNode(local, attributes.Ccy?.value ?? '')
    around.at(-1)?.children.push(node)
    around.push(node)
  }

  function leave(of: MessageParser): void {
    const node = around.pop()
    const parent = around.at(-1)
    if (node === undefined) return
    if (parent !== undefined) {
      if (of.isPart(node, parent)) takePart(of, node, parent)
      return
    }
    addEntries(of.take(node))
    nodes = 0
    parts = 0
  }

  function takePart(of: MessageParser, part: XmlNode, parent: XmlNode): void {
    parent.children.pop()
    nodes -= countNodes(part)
    parts += 1
    if (count + parts > entriesMax) throw newTooManyEntriesProblem()
    of.takePart(part, parent)
  }

  function addEntries(payments: ParsedPayment[]): void {
    for (const payment of payments) {
      count += 1
      entries.push({ position: count, part: 1, ...payment })
    }
    if (count > entriesMax) throw newTooManyEntriesProblem()
  }

  return {
    format: () => message?.format,
    write: (text: string): void => {
      parser.write(text)
    },
    taken: (): Entry[] => {
      const taken = entries
      entries = []
      return taken
    },
    end: (): void => {
      parser.close()
      if (message === undefined) throw newNotAStatementProblem()
      addEntries(message.end())
    }
  }
}

function countNodes(node: XmlNode): number {
  return node.children.reduce((sum, child) => sum + countNodes(child), 1)
}

const newBrokenXmlProblem = (line: number) =>
  new StatementFileProblem('statement-broken', buildText('statement-file-problems', 'brokenXml'), { line })

const newDoctypeProblem = (line: number) =>
  new StatementFileProblem('statement-doctype', buildText('statement-file-problems', 'doctype'), { line })

const newTooDeepProblem = (line: number) =>
  new StatementFileProblem('statement-too-deep', buildText('statement-file-problems', 'tooDeep', { depthMax }), {
    line
  })

const newTextTooLongProblem = (line: number) =>
  new StatementFileProblem(
    'statement-text-too-long',
    buildText('statement-file-problems', 'textTooLong', { textLengthMax }),
    { line }
  )

const newTooManyElementsProblem = (line: number) =>
  new StatementFileProblem(
    'statement-too-large',
    buildText('statement-file-problems', 'tooManyElements', { nodesMax }),
    { line }
  )
