import { setImmediate } from 'node:timers/promises'
import { decodeText } from '#platform/csv/decode.ts'
import { buildText } from '#platform/messages/messages.ts'
import { entriesMax, newTooManyEntriesProblem, StatementFileProblem } from './file-problems.ts'
import { parseMt940Transaction, type StatementLines } from './mt940-transaction.ts'
import type { ParsedStatement, ParseOptions } from './parse-statement.ts'
import type { ParsedPayment } from './parsed-entry.ts'
import { buildGermanIban, parseCurrency, toIban, truncate } from './values.ts'

/** The number of lines after which we yield to the event loop. */
const linesInOneTurn = 2000
/** The standard allows 6 lines of 65 characters for a text; banks write a few more. */
const fieldLinesMax = 100
const lineLengthMax = 2000

/** Only MT942 has a minimum amount and a time. */
const interimForm = /^:(?:34F|13D?):/m
const fieldForm = /^:(\d\d[A-Z]?):(.*)$/

/** A file begins with a field, with or without an envelope, after empty lines or a FinTS wrapper. */
const startForm =
  /^[\s@\d-]{0,40}(?:\{1:[^}]{0,100}\}(?:\{[23]:[^\n]{0,300}\})?\{4:\s{0,10})?:(?:20|21|25|28C?|60[FM]|61|86):/
/** Dutch banks write a few lines of their own first. */
const lateStartForm = /^(?:[^\n]{0,80}\n){1,5}:20:[^\n]{0,40}\n(?::21:[^\n]{0,40}\n)?:25:/

export const isMt940 = (start: string) => startForm.test(start) || lateStartForm.test(start)

/**
 * A daily statement (MT940) or an intraday report (MT942), as SWIFT defines it and German banks fill it. One file can
 * contain several.
 */
export function parseMt940(bytes: Buffer, { currency = 'EUR' }: ParseOptions): ParsedStatement {
  const text = decodeText(bytes)
  const isInterim = interimForm.test(text) && !/^:60[FM]:/m.test(text)
  return {
    meta: { format: isInterim ? 'mt942' : 'mt940' },
    async *[Symbol.asyncIterator]() {
      let position = 0
      let statements = 0
      let lines = 0
      const reader = createReader(currency)
      for (const field of splitFields(text)) {
        lines += field.lines.length
        if (lines > linesInOneTurn) {
          await setImmediate()
          lines = 0
        }
        if (field.tag === '25') statements += 1
        const payment = reader.take(field)
        if (payment === undefined) continue
        position += 1
        if (position > entriesMax) throw newTooManyEntriesProblem()
        yield { position, part: 1, ...payment }
      }
      const last = reader.end()
      if (last !== undefined) yield { position: position + 1, part: 1, ...last }
      if (statements === 0) throw newAccountMissingProblem(1)
    }
  }
}

interface Field {
  tag: string
  /** The value without the tag, up to the next tag. */
  lines: string[]
  /** The line where it begins, counted from 1. */
  line: number
}

function* splitFields(text: string): Generator<Field> {
  let field: Field | undefined
  let number = 0
  for (const raw of splitLines(text)) {
    number += 1
    if (raw.length > lineLengthMax) throw newLineTooLongProblem(number)
    // Removes the SWIFT envelope and the end-of-message mark.
    const line = raw.replace(/^(?:\{[1-5]:[^}]{0,300}\}){0,3}\{4:/, '').replace(/^-\}.*$/, '-')
    const [, tag, rest = ''] = fieldForm.exec(line) ?? []
    if (tag !== undefined || line === '-') {
      if (field !== undefined) yield field
      field = tag === undefined ? undefined : { tag, lines: [rest], line: number }
    } else if (field !== undefined) {
      if (field.lines.length >= fieldLinesMax) throw newFieldTooLongProblem(field.line)
      field.lines.push(line)
    }
  }
  if (field !== undefined) yield field
}

function* splitLines(text: string): Generator<string> {
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    start = end + 1
  }
}

function createReader(defaultCurrency: string) {
  let account: string | null = null
  let currency = defaultCurrency
  /** True between the account and the closing balance of a statement. */
  let isOpen = false
  let isInterim = false
  let open: StatementLines | undefined

  function close(): ParsedPayment | undefined {
    const payment = open === undefined ? undefined : parseMt940Transaction(open)
    open = undefined
    return payment
  }

  function take({ tag, lines, line }: Field): ParsedPayment | undefined {
    if (tag === '86' && open !== undefined && open.details.length === 0) {
      open.details = lines
      return close()
    }
    const payment = close()
    const [first = ''] = lines
    if (tag === '20') {
      isOpen = false
      isInterim = false
    }
    if (interimForm.test(`:${tag}:`)) isInterim = true
    if (tag === '25') {
      isOpen = true
      account = parseAccount(first)
    }
    if (tag === '60F' || tag === '60M')
      currency = parseCurrency(/^[CD]\d{6}([A-Z]{3})/.exec(first)?.[1], defaultCurrency)
    if (tag === '34F') currency = parseCurrency(/^([A-Z]{3})/.exec(first)?.[1], defaultCurrency)
    if (tag === '61') {
      if (!isOpen) throw newAccountMissingProblem(line)
      open = { booking: lines, details: [], line, account, currency, isInterim }
    }
    return payment
  }

  return { take, end: close }
}

/** An IBAN, or a German bank code with an account number; the currency can be appended to either. */
function parseAccount(text: string): string | null {
  const given = text.trim().toUpperCase()
  const parts = given.split('/').map(part => part.replace(/(?<=\d) ?[A-Z]{3}$/, '').trim())
  const found = parts.find(part => /^[A-Z]{2}\d\d/.test(part) && toIban(part) !== null)
  if (found !== undefined) return toIban(found)
  const [bankCode = '', number = ''] = parts
  return buildGermanIban(bankCode, number) ?? (given === '' ? null : truncate(given, 40))
}

const newAccountMissingProblem = (line: number) =>
  new StatementFileProblem('statement-broken', buildText('statement-file-problems', 'accountMissing'), { line })

const newLineTooLongProblem = (line: number) =>
  new StatementFileProblem(
    'statement-text-too-long',
    buildText('statement-file-problems', 'lineTooLong', { lineLengthMax }),
    { line }
  )

const newFieldTooLongProblem = (line: number) =>
  new StatementFileProblem(
    'statement-too-large',
    buildText('statement-file-problems', 'fieldTooLong', { fieldLinesMax }),
    { line }
  )
