import { loadFont, type Weight } from '#platform/images/fonts.ts'
import type { Language } from '#platform/language.ts'
import { pdfKit } from './pdf-kit.ts'

/** Points per millimetre. */
export const mm = 72 / 25.4

/** In points: A4 with the margins of a business letter. */
const paper = { width: 595.28, height: 841.89 }
export const leftEdge = 25 * mm
export const rightEdge = paper.width - 20 * mm
const top = 48
/** Some printers cut off everything below. */
export const bottomEdge = paper.height - 40
const contentWidth = rightEdge - leftEdge

type Document = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement

/** A page that is filled from top to bottom and tagged for accessibility: headings, paragraphs, tables. */
export interface Sheet {
  doc: Document
  /** The root of the structure tree. */
  root: Element
  /** The size of normal text, in points. */
  size: number
}

export interface DocumentInfo {
  title: string
  author: string
  language: Language
  /** The creation date in the metadata, so that the same content gives the same bytes. */
  madeAt: Date
}

/** Sizes to try until everything fits on the first page: the official form must not be longer. */
const sizes = [10, 9.5, 9, 8.5, 8, 7.5, 7]

/**
 * Builds a PDF. `front` fills the first page in the largest size that fits; `rest` can continue on further pages. Both
 * are drawn again for each size.
 */
export async function makePdf(
  about: DocumentInfo,
  front: (sheet: Sheet) => void,
  rest: (sheet: Sheet) => void = () => {}
): Promise<Buffer> {
  for (const size of sizes) {
    const sheet = newSheet(about, size)
    const { doc } = sheet
    const first = doc.page
    front(sheet)
    const fits = doc.page === first && doc.y <= bottomEdge
    if (!fits && size !== sizes.at(-1)) continue
    rest(sheet)
    return await finishDocument(sheet)
  }
  throw new Error('The text does not fit at any font size.')
}

function newSheet({ title, author, language, madeAt }: DocumentInfo, size: number): Sheet {
  const doc = new (pdfKit())({
    size: 'A4',
    margins: { top, left: leftEdge, right: paper.width - rightEdge, bottom: 0 },
    lang: language,
    // No built-in font: we only use our own, which are embedded.
    font: '',
    pdfVersion: '1.7',
    // Missing in the type definitions.
    subset: 'PDF/UA' as never,
    tagged: true,
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Producer: 'Kalends',
      Creator: 'Kalends',
      CreationDate: madeAt,
      ModDate: madeAt
    }
  })
  const weights: Weight[] = ['regular', 'semibold']
  // The type definitions only allow files, but PDFKit accepts a parsed font as well.
  for (const weight of weights) doc.registerFont(weight, loadFont(weight) as never)
  const root = doc.struct('Document')
  doc.addStructure(root)
  return { doc, root, size }
}

async function finishDocument({ doc, root }: Sheet): Promise<Buffer> {
  const parts: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', part => parts.push(part as Buffer))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  root.end()
  doc.end()
  await ended
  return Buffer.concat(parts)
}

export interface TextOptions {
  as?: string
  weight?: Weight
  /** In points; default: the size of normal text. */
  size?: number
  /** Space above, in lines. */
  above?: number
  x?: number
  width?: number
  align?: 'left' | 'right'
  grey?: boolean
}

/** Writes a paragraph at the current position. */
export function writeParagraph(sheet: Sheet, text: string, writing: TextOptions = {}): void {
  const { doc, root, size } = sheet
  const { as = 'P', weight = 'regular', above = 0, x = leftEdge, width = rightEdge - x, align = 'left' } = writing
  doc.y += above * size * 1.25
  root.add(doc.struct(as, {}, () => writeText(sheet, text, { ...writing, weight, x, width, align })))
}

/** Writes text without a tag, for use within a tagged element. */
export function writeText({ doc, size }: Sheet, text: string, writing: TextOptions): void {
  const { weight = 'regular', x = leftEdge, width = contentWidth, align = 'left', grey = false } = writing
  doc
    .font(weight)
    .fontSize(writing.size ?? size)
    .fillColor(grey ? '#595959' : '#000000')
    .text(text.normalize('NFC'), x, doc.y, { width, align, lineGap: 1.5 })
}

/** Draws a line or a frame that screen readers skip. */
export function drawArtifact({ doc }: Sheet, drawing: (doc: Document) => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.save()
  drawing(doc)
  doc.restore()
  doc.endMarkedContent()
}

export function drawHorizontalRule(sheet: Sheet, { x = leftEdge, width = contentWidth, above = 0 } = {}): void {
  sheet.doc.y += above * sheet.size * 1.25
  const { y } = sheet.doc
  drawArtifact(sheet, doc =>
    doc
      .lineWidth(0.5)
      .strokeColor('#000000')
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke()
  )
}

export interface Column {
  head: string
  /** The share of the table width. */
  share: number
  align?: 'left' | 'right'
}

const cellPadding = 5

/** A table over as many pages as needed, with its header on each. */
export function writeTable(
  sheet: Sheet,
  columns: Column[],
  rows: string[][],
  options: { strong?: boolean } = {}
): void {
  const { doc, root } = sheet
  const element = doc.struct('Table')
  root.add(element)
  const head = columns.map(column => column.head)
  const small = sheet.size - 1
  writeRow(sheet, element, { columns, cells: head }, { as: 'TH', size: small, grey: true })
  for (const [index, cells] of rows.entries()) {
    const isLast = index === rows.length - 1
    const weight = options.strong === true || (isLast && rows.length > 1) ? 'semibold' : 'regular'
    if (doc.y + measureRow(sheet, columns, cells, { weight, size: sheet.size }) > bottomEdge) {
      doc.addPage()
      // The header is tagged once; on further pages it is an artifact.
      writeArtifactRow(sheet, columns, head, { size: small, grey: true })
    }
    writeRow(sheet, element, { columns, cells }, { as: 'TD', weight, size: sheet.size })
  }
  element.end()
}

type RowOptions = TextOptions & { size: number }

function writeRow(
  sheet: Sheet,
  parent: Element,
  { columns, cells }: { columns: Column[]; cells: string[] },
  writing: RowOptions
): void {
  const { doc } = sheet
  const frame = computeFrame(sheet, columns, cells, writing)
  const line = doc.struct('TR')
  parent.add(line)
  for (const [index, cell] of frame.cells.entries()) {
    line.add(
      doc.struct(writing.as ?? 'TD', {}, () => {
        doc.y = frame.y + cellPadding
        writeText(sheet, cell.text, {
          ...writing,
          x: cell.x + cellPadding,
          width: cell.width - 2 * cellPadding,
          align: cell.align
        })
      })
    )
    if (index === frame.cells.length - 1) line.end()
  }
  drawFrame(sheet, frame)
}

function writeArtifactRow(sheet: Sheet, columns: Column[], cells: string[], writing: RowOptions): void {
  const frame = computeFrame(sheet, columns, cells, writing)
  drawArtifact(sheet, doc => {
    for (const cell of frame.cells) {
      doc.y = frame.y + cellPadding
      writeText(sheet, cell.text, {
        ...writing,
        x: cell.x + cellPadding,
        width: cell.width - 2 * cellPadding,
        align: cell.align
      })
    }
  })
  drawFrame(sheet, frame)
}

interface Frame {
  y: number
  height: number
  cells: { text: string; x: number; width: number; align: 'left' | 'right' }[]
}

function computeFrame(sheet: Sheet, columns: Column[], cells: string[], writing: RowOptions): Frame {
  let x = leftEdge
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  return {
    y: sheet.doc.y,
    height: measureRow(sheet, columns, cells, writing),
    cells: columns.map((column, index) => {
      const cell = {
        text: cells[index] ?? '',
        x,
        width: (contentWidth * column.share) / total,
        align: column.align ?? 'left'
      }
      x += cell.width
      return cell
    })
  }
}

function measureRow(
  { doc }: Sheet,
  columns: Column[],
  cells: string[],
  { weight = 'regular', size }: RowOptions
): number {
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  doc.font(weight).fontSize(size)
  const heights = columns.map((column, index) =>
    doc.heightOfString((cells[index] ?? '').normalize('NFC'), {
      width: (contentWidth * column.share) / total - 2 * cellPadding,
      lineGap: 1.5
    })
  )
  return Math.max(...heights) + 2 * cellPadding
}

function drawFrame(sheet: Sheet, { y, height, cells }: Frame): void {
  drawArtifact(sheet, doc => {
    doc.lineWidth(0.5).strokeColor('#000000')
    for (const { x, width } of cells) doc.rect(x, y, width, height).stroke()
  })
  sheet.doc.y = y + height
}

/** Draws an image at the current position, with `alt` as its alternative text. */
export function drawImage(sheet: Sheet, bytes: Buffer, alt: string, height: number): void {
  const { doc, root } = sheet
  const { y } = doc
  root.add(doc.struct('Figure', { alt }, () => void doc.image(bytes, leftEdge, y, { fit: [180, height] })))
  doc.y = y + height
}

/** Adds vertical space, in lines. */
export function addSpace(sheet: Sheet, lines: number): void {
  sheet.doc.y += lines * sheet.size * 1.25
}
