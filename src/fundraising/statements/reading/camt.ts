import { setImmediate } from 'node:timers/promises'
import type { SaxesParser, SaxesTagNS } from 'saxes'
import { whenNeeded } from '#platform/when-needed.ts'
import { type Account, paymentsOf } from './booking.ts'
import type { Entry } from './entry.ts'
import { StatementFileProblem } from './file-problem.ts'
import { type Node, newNode, said } from './node.ts'
import type { ReadingOptions, StatementReading } from './statement.ts'
import { textChunks } from './text-chunks.ts'
import { type Transaction, transactionIn } from './transaction.ts'
import { currencyOf, short } from './values.ts'

const saxes = whenNeeded<typeof import('saxes')>('saxes')

/** Statements are about twenty deep. */
const depthMax = 50
/** No text of a statement has more than 500 characters; supplements of banks may. */
const textLengthMax = 100_000
/** In a booking besides its payments, and in a single payment. */
const nodesMax = 5000
/** A file with more payments can be exported in parts. */
const entriesMax = 200_000

/** 053 is what was booked on days, 054 what was booked and of which details are told, 052 what is known during a day. */
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05([234])\.001\.(\d\d))$/
const messages: Record<string, { message: string; statement: string }> = {
  2: { message: 'BkToCstmrAcctRpt', statement: 'Rpt' },
  3: { message: 'BkToCstmrStmt', statement: 'Stmt' },
  4: { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' }
}

/**
 * A statement in XML (ISO 20022). All versions have the same shape as far as we read it; where they differ, both spellings are
 * understood. The bytes are there already; of what they say one booking at a time is kept.
 */
export function readCamt(bytes: Buffer, { timezone = 'UTC', currency = 'EUR' }: ReadingOptions): StatementReading {
  const chunks = textChunks(bytes)
  const file = openFile({ timezone, currency })
  while (file.format() === undefined) {
    const { done, value } = chunks.next()
    if (done === true) break
    file.write(value)
  }
  const format = file.format()
  // Says what is wrong with a file that ends before it has begun.
  if (format === undefined) file.end()
  if (format === undefined) throw notAStatement()
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
    }
  }
}

function openFile(defaults: { timezone: string; currency: string }) {
  const parser = new (saxes().SaxesParser)({ xmlns: true }) as SaxesParser<{ xmlns: true }>
  let root: Root | undefined
  let depth = 0
  /** How deep the element is below which nothing is of interest. */
  let skipped = 0
  let account: Account = newAccount()
  /** The elements around the place of reading, from the one that is collected down. */
  const around: Node[] = []
  let nodes = 0
  let transactions: Transaction[] = []
  let entries: Entry[] = []
  let count = 0

  function newAccount(): Account {
    return { ...defaults, number: null, isIntraday: root?.isIntraday === true }
  }

  parser.on('error', () => {
    throw broken(parser.line)
  })
  parser.on('doctype', () => {
    throw withDoctype(parser.line)
  })
  parser.on('text', text => keep(text))
  parser.on('cdata', text => keep(text))
  parser.on('opentag', tag => {
    depth += 1
    if (depth > depthMax) throw tooDeep(parser.line)
    if (skipped > 0) return
    if (depth === 1) root = rootOf(tag)
    if (tag.uri === root?.namespace && isOfInterest(tag.local)) collect(tag)
    else skipped = depth
  })
  parser.on('closetag', () => {
    if (skipped === depth) skipped = 0
    else if (skipped === 0 && around.length > 0) leave()
    depth -= 1
  })

  function keep(text: string): void {
    if (text.length > textLengthMax) throw textTooLong(parser.line)
    const node = around.at(-1)
    if (node !== undefined && skipped === 0) node.text += text
  }

  /** Down to the statements there is one way; of a statement its account and its bookings; of these, everything. */
  function isOfInterest(name: string): boolean {
    if (depth === 1) return true
    if (depth === 2) return name === root?.message
    if (depth === 3) return name === root?.statement
    return around.length > 0 || name === 'Acct' || name === 'Ntry'
  }

  function collect({ local, attributes }: SaxesTagNS): void {
    if (depth === 2 && root !== undefined) root.isComplete = true
    if (depth === 3) account = newAccount()
    if (depth < 4) return
    nodes += 1
    if (nodes > nodesMax) throw tooMuch(parser.line)
    const node = newNode(local, attributes.Ccy?.value ?? '')
    around.at(-1)?.children.push(node)
    around.push(node)
  }

  function leave(): void {
    const node = around.pop()
    const parent = around.at(-1)
    if (node === undefined) return
    if (node.name === 'TxDtls' && parent?.name === 'NtryDtls') {
      // What it says is taken at once, so that a booking of thousands of payments stays small.
      parent.children.pop()
      nodes -= sizeOf(node)
      transactions.push(transactionIn(node))
      if (count + transactions.length > entriesMax) throw tooMany()
    }
    if (parent !== undefined) return
    if (node.name === 'Acct') account = { ...account, ...accountIn(node) }
    if (node.name === 'Ntry') addEntries(node)
    transactions = []
    nodes = 0
  }

  function accountIn(node: Node): Pick<Account, 'number' | 'currency'> {
    const number = said(node, 'Id/IBAN', 'Id/Othr/Id')?.replaceAll(' ', '').toUpperCase()
    return {
      number: number === undefined ? null : short(number, 40),
      currency: currencyOf(said(node, 'Ccy'), defaults.currency)
    }
  }

  function addEntries(node: Node): void {
    for (const payment of paymentsOf(node, transactions, account)) {
      count += 1
      entries.push({ position: count, ...payment })
    }
    if (count > entriesMax) throw tooMany()
  }

  return {
    format: () => root?.format,
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
      if (root?.isComplete !== true) throw notAStatement()
    }
  }
}

interface Root {
  format: string
  namespace: string
  message: string
  statement: string
  isIntraday: boolean
  /** There is a message in it. */
  isComplete: boolean
}

function rootOf({ local, uri }: SaxesTagNS): Root {
  const [, format = '', kind = '', version = ''] = namespaceForm.exec(uri) ?? []
  const message = messages[kind]
  if (local !== 'Document' || message === undefined || Number(version) < 2 || Number(version) > 13) {
    throw notAStatement()
  }
  return { format, namespace: uri, ...message, isIntraday: kind === '2', isComplete: false }
}

function sizeOf(node: Node): number {
  return node.children.reduce((sum, child) => sum + sizeOf(child), 1)
}

const notAStatement = () =>
  new StatementFileProblem('not-a-statement', {
    en: 'This is no bank statement that can be read here. Export the bookings of your account as camt.053 or camt.054 (XML), or as CSV.',
    de: 'Das ist kein Kontoauszug, der hier gelesen werden kann. Exportieren Sie die Umsätze Ihres Kontos als camt.053 oder camt.054 (XML) oder als CSV.'
  })

const broken = (line: number) =>
  new StatementFileProblem(
    'statement-broken',
    {
      en: 'The file is damaged or cut off here: this is no well-formed XML. Export it again from your bank. Nothing was imported.',
      de: 'Die Datei ist hier beschädigt oder abgeschnitten: Das ist kein wohlgeformtes XML. Exportieren Sie sie neu bei Ihrer Bank. Es wurde nichts importiert.'
    },
    { line }
  )

const withDoctype = (line: number) =>
  new StatementFileProblem(
    'statement-doctype',
    {
      en: 'The file has a DOCTYPE. No bank writes one, and for safety none is read.',
      de: 'Die Datei hat einen DOCTYPE. Keine Bank schreibt einen, und zur Sicherheit wird keiner gelesen.'
    },
    { line }
  )

const tooDeep = (line: number) =>
  new StatementFileProblem(
    'statement-too-deep',
    {
      en: `Elements stand within each other more than ${depthMax} deep. No statement does that.`,
      de: `Elemente stehen mehr als ${depthMax} tief ineinander. Kein Kontoauszug tut das.`
    },
    { line }
  )

const textTooLong = (line: number) =>
  new StatementFileProblem(
    'statement-text-too-long',
    {
      en: `A text may have at most ${textLengthMax} characters.`,
      de: `Ein Text darf höchstens ${textLengthMax} Zeichen haben.`
    },
    { line }
  )

const tooMuch = (line: number) =>
  new StatementFileProblem(
    'statement-too-large',
    {
      en: `A booking may have at most ${nodesMax} elements besides its payments, and each payment as many.`,
      de: `Eine Buchung darf neben ihren Zahlungen höchstens ${nodesMax} Elemente haben, und jede Zahlung ebenso viele.`
    },
    { line }
  )

const tooMany = () =>
  new StatementFileProblem('statement-too-many-entries', {
    en: `A file may have at most ${entriesMax} payments. Export the statement in parts, for example month by month.`,
    de: `Eine Datei darf höchstens ${entriesMax} Zahlungen haben. Exportieren Sie den Auszug in Teilen, etwa nach Monaten.`
  })
