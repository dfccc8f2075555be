import {
  drawArtifact,
  drawHorizontalRule,
  leftEdge,
  mm,
  rightEdge,
  type Sheet,
  type TextOptions,
  writeParagraph,
  writeText
} from './layout.ts'

/** Everything above the body of a receipt. */
export interface LetterHead {
  /** The issuer: label, name, and address lines. */
  issuer: { label: string; name: string; lines: string[] }
  /** The top corner: the number, and whether it is a copy. */
  headerCorner: string[]
  title: string
  subtitle: string
  /** The donor: label, and the lines of name and address. */
  donor: { label: string; lines: string[] }
}

/** The address field of a business letter (DIN 5008, form B), visible in the window of an envelope. */
const field = { top: 45 * mm, address: 62.7 * mm, bottom: 90 * mm, width: 80 * mm }
/** The left edge of the information block next to it, and the top of the body. */
const informationLeft = 125 * mm
const bodyTop = 98.5 * mm

/**
 * Issuer and title first, then the donor in the address window: the order of the official form, which allows the
 * donor's name and address to be the address field.
 */
export function writeLetterHead(sheet: Sheet, head: LetterHead): void {
  drawFoldMarks(sheet)
  const size = findLargestSize(size => writeHeader({ ...sheet, size }, head, 'measure') <= field.top - 1 * mm)
  writeHeader({ ...sheet, size }, head, 'write')
  writeAddressField(sheet, {
    sender: [head.issuer.name, ...head.issuer.lines].join(' · '),
    label: head.donor.label,
    lines: head.donor.lines
  })
}

/** The address in the window of an envelope, with the return address above it. Leaves the position at the body. */
export function writeAddressField(
  sheet: Sheet,
  { sender, label, lines }: { sender: string; label: string; lines: string[] }
): void {
  const { doc } = sheet
  doc.y = Math.max(doc.y, field.top + 1.5 * mm)
  writeSender(sheet, sender)
  doc.y = Math.max(doc.y, field.address - 4 * mm)
  if (label !== '') writeParagraph(sheet, label, { size: 7, grey: true, width: field.width })
  doc.y = Math.max(doc.y, field.address)
  const text = lines.join('\n')
  const room = field.bottom - field.address
  const size = findLargestSize(one => measureText(sheet, text, { size: one, width: field.width }) <= room)
  writeParagraph(sheet, text, { size, width: field.width })
  doc.y = Math.max(doc.y, bodyTop)
}

/** The largest size that fits, or the smallest one; then the following content moves down and nothing is lost. */
function findLargestSize(fits: (size: number) => boolean): number {
  return sizes.find(fits) ?? sizes.at(-1) ?? 6
}

const sizes = [10, 9.5, 9, 8.5, 8, 7.5, 7, 6.5, 6]
const headTop = 8 * mm

/** Number, issuer and title above the window. Returns the bottom edge. */
function writeHeader(sheet: Sheet, head: LetterHead, how: 'measure' | 'write'): number {
  const { doc, size } = sheet
  const issuerWidth = informationLeft - leftEdge - 4 * mm
  const corner = { size: size - 1, x: informationLeft, width: rightEdge - informationLeft, align: 'right' } as const
  const issuer: [string, TextOptions][] = [
    [head.issuer.label, { size: Math.min(size - 2, 7.5), grey: true, width: issuerWidth }],
    [head.issuer.name, { size, weight: 'semibold', width: issuerWidth }],
    [head.issuer.lines.join('\n'), { size, width: issuerWidth }]
  ]
  const title: [string, TextOptions][] = [
    [head.title, { as: 'H1', weight: 'semibold', size: size + 2.5, width: rightEdge - leftEdge }],
    ...(head.subtitle === ''
      ? []
      : [[head.subtitle, { size: size - 1, width: rightEdge - leftEdge }] as [string, TextOptions]])
  ]
  const height = (texts: [string, TextOptions][]) =>
    texts.reduce((sum, [text, how]) => sum + measureText(sheet, text, how), 0)
  const numbers = head.headerCorner.map((text): [string, TextOptions] => [text, corner])
  const titleTop = headTop + Math.max(height(issuer), height(numbers)) + size * 0.4
  if (how === 'write') {
    for (const [texts, y] of [
      [numbers, headTop],
      [issuer, headTop],
      [title, titleTop]
    ] as const) {
      doc.y = y
      for (const [text, writing] of texts) writeParagraph(sheet, text, writing)
    }
  }
  return titleTop + height(title)
}

function measureText(
  { doc, size }: Sheet,
  text: string,
  { weight = 'regular', width = 0, ...writing }: TextOptions
): number {
  return doc
    .font(weight)
    .fontSize(writing.size ?? size)
    .heightOfString(text.normalize('NFC'), { width, lineGap: 1.5 })
}

/** The return address: one small line, cut off at the edge of the window. */
function writeSender(sheet: Sheet, text: string): void {
  drawArtifact(sheet, doc => {
    doc.font('regular').fontSize(6.5)
    let shown = text
    while (shown.length > 1 && doc.widthOfString(shown) > field.width) shown = `${shown.slice(0, -2).trimEnd()}…`
    writeText(sheet, shown, { size: 6.5, grey: true, width: field.width + 2 })
  })
  drawHorizontalRule(sheet, { width: field.width })
}

/** Fold marks and the punch mark. */
export function drawFoldMarks(sheet: Sheet): void {
  drawArtifact(sheet, doc => {
    doc.lineWidth(0.4).strokeColor('#999999')
    for (const [y, width] of [
      [105, 4],
      [148.5, 6],
      [210, 4]
    ] as const) {
      doc
        .moveTo(5 * mm, y * mm)
        .lineTo((5 + width) * mm, y * mm)
        .stroke()
    }
  })
}
