import { draw, left, mm, put, right, rule, type Sheet, type Writing, write } from './sheet.ts'

/** What stands above the body of a receipt. */
export interface LetterHead {
  /** Who issues it: what that is called, the name, and the lines of the address. */
  issuer: { label: string; name: string; lines: string[] }
  /** In the corner above: the number, and whether it is a copy. */
  corner: string[]
  title: string
  subtitle: string
  /** To whom: what that is called, and the lines of name and address. */
  donor: { label: string; lines: string[] }
}

/** The address field of a business letter (DIN 5008, form B), which the window of an envelope shows. */
const field = { top: 45 * mm, address: 62.7 * mm, bottom: 90 * mm, width: 80 * mm }
/** Where the block of information beside it begins, and the body below it. */
const informationLeft = 125 * mm
const bodyTop = 98.5 * mm

/**
 * Issuer and title above, then the donor where the window of an envelope is: the order is that of the official form, which
 * allows the donor's name and address to be the address field.
 */
export function writeLetterHead(sheet: Sheet, head: LetterHead): void {
  const { doc } = sheet
  drawFoldMarks(sheet)
  const size = largest(size => writeAbove({ ...sheet, size }, head, 'measure') <= field.top - 1 * mm)
  writeAbove({ ...sheet, size }, head, 'write')
  doc.y = Math.max(doc.y, field.top + 1.5 * mm)
  writeSender(sheet, [head.issuer.name, ...head.issuer.lines].join(' · '))
  doc.y = Math.max(doc.y, field.address - 4 * mm)
  write(sheet, head.donor.label, { size: 7, grey: true, width: field.width })
  doc.y = Math.max(doc.y, field.address)
  const lines = head.donor.lines.join('\n')
  const room = field.bottom - field.address
  const donorSize = largest(one => heightOf(sheet, lines, { size: one, width: field.width }) <= room)
  write(sheet, lines, { size: donorSize, width: field.width })
  doc.y = Math.max(doc.y, bodyTop)
}

/** The first size that fits, or the smallest: then the rest moves down, and everything still stands there. */
function largest(fits: (size: number) => boolean): number {
  return sizes.find(fits) ?? sizes.at(-1) ?? 6
}

const sizes = [10, 9.5, 9, 8.5, 8, 7.5, 7, 6.5, 6]
const topOfHead = 8 * mm

/** Number, issuer and title, above the window. Answers where it ends. */
function writeAbove(sheet: Sheet, head: LetterHead, how: 'measure' | 'write'): number {
  const { doc, size } = sheet
  const issuerWidth = informationLeft - left - 4 * mm
  const corner = { size: size - 1, x: informationLeft, width: right - informationLeft, align: 'right' } as const
  const issuer: [string, Writing][] = [
    [head.issuer.label, { size: Math.min(size - 2, 7.5), grey: true, width: issuerWidth }],
    [head.issuer.name, { size, weight: 'semibold', width: issuerWidth }],
    [head.issuer.lines.join('\n'), { size, width: issuerWidth }]
  ]
  const title: [string, Writing][] = [
    [head.title, { as: 'H1', weight: 'semibold', size: size + 2.5, width: right - left }],
    ...(head.subtitle === '' ? [] : [[head.subtitle, { size: size - 1, width: right - left }] as [string, Writing]])
  ]
  const height = (texts: [string, Writing][]) => texts.reduce((sum, [text, how]) => sum + heightOf(sheet, text, how), 0)
  const numbers = head.corner.map((text): [string, Writing] => [text, corner])
  const titleTop = topOfHead + Math.max(height(issuer), height(numbers)) + size * 0.4
  if (how === 'write') {
    for (const [texts, y] of [
      [numbers, topOfHead],
      [issuer, topOfHead],
      [title, titleTop]
    ] as const) {
      doc.y = y
      for (const [text, writing] of texts) write(sheet, text, writing)
    }
  }
  return titleTop + height(title)
}

function heightOf({ doc, size }: Sheet, text: string, { weight = 'regular', width = 0, ...writing }: Writing): number {
  return doc
    .font(weight)
    .fontSize(writing.size ?? size)
    .heightOfString(text.normalize('NFC'), { width, lineGap: 1.5 })
}

/** Where the letter goes back to if nobody takes it: one small line, cut off where the window ends. */
function writeSender(sheet: Sheet, text: string): void {
  draw(sheet, doc => {
    doc.font('regular').fontSize(6.5)
    let shown = text
    while (shown.length > 1 && doc.widthOfString(shown) > field.width) shown = `${shown.slice(0, -2).trimEnd()}…`
    put(sheet, shown, { size: 6.5, grey: true, width: field.width + 2 })
  })
  rule(sheet, { width: field.width })
}

/** Where to fold it for the envelope, and where to punch it. */
function drawFoldMarks(sheet: Sheet): void {
  draw(sheet, doc => {
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
