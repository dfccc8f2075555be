import { setImmediate } from 'node:timers/promises'
import type { SaxesParser } from 'saxes'
import { decodeText } from '#platform/csv/decode.ts'
import type { CsvRow } from '#platform/csv/parse.ts'
import { requireLazily } from '#platform/lazy-require.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { listMembers, type Member, unpackMember, ZipError } from '#platform/zip/zip-reader.ts'
import { parseSerialDate } from './date-parser.ts'

const saxes = requireLazily<typeof import('saxes')>('saxes')

/** A workbook of 10 MB unpacks to less; a larger one is built to exhaust the memory. */
const zipLimits = { membersMax: 1000, memberBytesMax: 80 * 1024 * 1024, allBytesMax: 160 * 1024 * 1024 }
/** Further rows are reported as too many by the caller; further columns are dropped. */
const rowsMax = 60_000
const columnsMax = 1000
const cellLengthMax = 100_000
/** Characters parsed before yielding to the event loop. */
const chunkLength = 64 * 1024

/** The rows of the first visible sheet of an Excel workbook, as texts: dates as `2027-03-01 19:30:00`. */
export async function readXlsx(bytes: Buffer, signal: AbortSignal): Promise<CsvRow[]> {
  try {
    const members = new Map(listMembers(bytes, zipLimits).map(member => [member.name, member]))
    const book = await readWorkbook({ bytes, members, signal })
    return await readSheet({ bytes, members, signal }, book)
  } catch (error) {
    if (error instanceof ZipError || error instanceof BrokenXmlError) throw newNotAWorkbookProblem()
    throw error
  }
}

class BrokenXmlError extends Error {}

interface Archive {
  bytes: Buffer
  members: Map<string, Member>
  signal: AbortSignal
}

interface Workbook {
  /** The path of the first visible sheet. */
  sheet: string
  strings: string[]
  /** Whether each cell style shows a date or a time. */
  dateStyles: boolean[]
  /** Days to add to a day number: workbooks of old Macs count from 1904. */
  dayOffset: number
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const sheets: string[] = []
  let dayOffset = 0
  await parseXml(archive, 'xl/workbook.xml', {
    open: (name, attributes) => {
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes.get('date1904') ?? '')) dayOffset = 1462
      const isVisible = !/^(?:hidden|veryHidden)$/.test(attributes.get('state') ?? '')
      if (name === 'sheet' && isVisible) sheets.push(attributes.get('id') ?? '')
    }
  })
  const targets = new Map<string, string>()
  await parseXml(archive, 'xl/_rels/workbook.xml.rels', {
    open: (name, attributes) => {
      if (name !== 'Relationship') return
      const target = attributes.get('Target') ?? ''
      targets.set(attributes.get('Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    }
  })
  const sheet = targets.get(sheets[0] ?? '')
  if (sheet === undefined) throw new BrokenXmlError()
  return { sheet, dayOffset, strings: await readStrings(archive), dateStyles: await readDateStyles(archive) }
}

/** A text can consist of several formatted parts; the pronunciation of Japanese texts is not part of it. */
async function readStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = []
  let current = ''
  let isText = false
  let isPhonetic = false
  if (!archive.members.has('xl/sharedStrings.xml')) return strings
  await parseXml(archive, 'xl/sharedStrings.xml', {
    open: name => {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text: text => {
      if (isText && current.length < cellLengthMax) current += text
    },
    close: name => {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isText = false
      if (name === 'si') strings.push(current)
    }
  })
  return strings
}

/** The built-in number formats of dates and times (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

async function readDateStyles(archive: Archive): Promise<boolean[]> {
  const styles: boolean[] = []
  const own = new Map<string, boolean>()
  let isCellStyle = false
  if (!archive.members.has('xl/styles.xml')) return styles
  await parseXml(archive, 'xl/styles.xml', {
    open: (name, attributes) => {
      const id = attributes.get('numFmtId') ?? ''
      // Quoted texts, escaped characters and colours such as [Red] can contain the letters of a date.
      const code = (attributes.get('formatCode') ?? '').replaceAll(/"[^"]*"|\\.|\[(?![hms]+\])[^[\]]*\]/gi, '')
      if (name === 'numFmt') own.set(id, /[ymdhs]/i.test(code))
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) styles.push(own.get(id) ?? isBuiltInDate(Number(id)))
    },
    close: name => {
      if (name === 'cellXfs') isCellStyle = false
    }
  })
  return styles
}

async function readSheet(archive: Archive, book: Workbook): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = { column: 0, type: '', style: 0, value: '' }
  let isValue = false
  await parseXml(archive, book.sheet, {
    open: (name, attributes) => {
      if (name === 'row') {
        cells = []
        rows.push({
          line: Number(attributes.get('r')) || (rows.at(-1)?.line ?? 0) + 1,
          cells,
          isUnterminated: false
        })
      }
      if (name === 'c') {
        cell = {
          column: parseColumn(attributes.get('r')) ?? cells.length,
          type: attributes.get('t') ?? 'n',
          style: Number(attributes.get('s') ?? 0),
          value: ''
        }
      }
      isValue = name === 'v' || name === 't'
    },
    text: text => {
      if (isValue && cell.value.length < cellLengthMax) cell.value += text
    },
    close: name => {
      isValue = false
      if (name !== 'c' || cell.column >= columnsMax) return
      while (cells.length < cell.column) cells.push('')
      cells[cell.column] = formatCell(cell, book)
    },
    isDone: () => rows.length > rowsMax
  })
  return rows
}

/** The column of a cell reference such as `AB7`, counted from 0. */
function parseColumn(reference = ''): number | undefined {
  const letters = /^([A-Z]{1,3})\d*$/.exec(reference)?.[1]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function formatCell(
  { type, style, value }: { type: string; style: number; value: string },
  { strings, dateStyles, dayOffset }: Workbook
): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  // The value of a formula that failed, such as #REF!
  if (type === 'e') return ''
  // ISO 8601; a time without a date begins with T.
  if (type === 'd') return value.replace(/^T/, '').replace('T', ' ')
  const number = Number(value)
  const isDate = type === 'n' && value !== '' && dateStyles[style] === true && number >= 0 && number < 2_958_466
  if (!isDate) return value
  const day = Math.floor(number)
  const { date, time } = parseSerialDate(day + dayOffset, number - day)
  if (number < 1) return time
  return time === '00:00:00' ? date : `${date} ${time}`
}

interface XmlHandler {
  open?(name: string, attributes: Map<string, string>): void
  text?(text: string): void
  close?(name: string): void
  /** Ends parsing early. */
  isDone?(): boolean
}

/** Element and attribute names are without prefixes: some programs write `x:row`. */
async function parseXml({ bytes, members, signal }: Archive, path: string, handler: XmlHandler): Promise<void> {
  const member = members.get(path)
  if (member === undefined) throw new BrokenXmlError()
  const text = decodeText(await unpackMember(bytes, member))
  const parser: SaxesParser = new (saxes().SaxesParser)({})
  const fail = () => {
    throw new BrokenXmlError()
  }
  parser.on('error', fail)
  // Entities of a document type can multiply the size of a text.
  parser.on('doctype', fail)
  parser.on('opentag', ({ name, attributes }) => {
    const plain = Object.entries(attributes).map(([key, value]) => [stripPrefix(key), String(value)] as const)
    handler.open?.(stripPrefix(name), new Map(plain))
  })
  parser.on('text', part => handler.text?.(part))
  parser.on('cdata', part => handler.text?.(part))
  parser.on('closetag', ({ name }) => handler.close?.(stripPrefix(name)))
  for (let at = 0; at < text.length; at += chunkLength) {
    parser.write(text.slice(at, at + chunkLength))
    if (handler.isDone?.() === true) return
    await setImmediate()
    signal.throwIfAborted()
  }
  parser.close()
}

const stripPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

const newNotAWorkbookProblem = () =>
  new Problem(400, 'not-a-workbook', buildText('import-source-reasons', 'notAWorkbook'))
