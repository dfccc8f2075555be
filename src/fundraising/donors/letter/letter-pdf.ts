import type { Language } from '#platform/language.ts'
import type { DonationKind } from '../../donation-kind.ts'
import type { Address } from '../../money/address.ts'
import {
  addSpace,
  bottomEdge,
  leftEdge,
  makePdf,
  mm,
  rightEdge,
  type Sheet,
  writeParagraph,
  writeTable
} from '../../receipts/pdf/layout.ts'
import { drawFoldMarks, writeAddressField } from '../../receipts/pdf/letter-head.ts'

/** Everything printed on a letter. */
export interface LetterContent {
  language: Language
  year: number
  writtenOn: string
  writtenAt: string
  sender: { name: string; address: Address; signatory: string; signatoryRole: string }
  receiver: { name: string; address: Address }
  opening: string
  closing: string
  currency: string
  gifts: { receivedOn: string; campaign: string; kind: DonationKind; amountCents: number }[]
}

const strings = {
  en: {
    subject: (year: number) => `Thank you for ${year}`,
    salutation: (name: string) => `Dear ${name},`,
    columns: { day: 'Date', campaign: 'For', amount: 'Amount' },
    total: 'Total',
    note: 'This letter is a thank-you, not a document for your tax return.',
    kinds: { money: '', membership_fee: 'membership fee', waived_expenses: 'waived expenses', in_kind: 'gift in kind' }
  },
  de: {
    subject: (year: number) => `Danke für ${year}`,
    salutation: (name: string) => `Guten Tag ${name},`,
    columns: { day: 'Datum', campaign: 'Für', amount: 'Betrag' },
    total: 'Summe',
    note: 'Dieser Brief ist ein Dankeschön und kein Nachweis für Ihre Steuererklärung.',
    kinds: {
      money: '',
      membership_fee: 'Mitgliedsbeitrag',
      waived_expenses: 'Verzicht auf Auslagenersatz',
      in_kind: 'Sachspende'
    }
  }
} as const satisfies Record<Language, unknown>

/** The texts that a letter prints besides its own, to check them for characters that the fonts do not have. */
export function listPrintedTexts({ sender, receiver, opening, closing, gifts }: LetterContent): string[] {
  return [
    ...[sender.name, ...Object.values(sender.address), sender.signatory, sender.signatoryRole],
    ...[receiver.name, ...Object.values(receiver.address), opening, closing],
    ...gifts.map(({ campaign }) => campaign)
  ]
}

/** A letter for an envelope with a window. It has neither the form nor the words of a receipt for the tax office. */
export async function buildLetterPdf(content: LetterContent): Promise<Buffer> {
  const { language, year, sender } = content
  const about = {
    title: `${strings[language].subject(year)} – ${sender.name}`,
    author: sender.name,
    language,
    madeAt: new Date(content.writtenAt)
  }
  return await makePdf(
    about,
    sheet => writeFront(sheet, content),
    sheet => writeGifts(sheet, content)
  )
}

function writeFront(sheet: Sheet, content: LetterContent): void {
  const { language, sender, receiver } = content
  const own = strings[language]
  const senderLines = formatAddress(sender.address, language, receiver.address.country)
  drawFoldMarks(sheet)
  sheet.doc.y = 14 * mm
  writeParagraph(sheet, sender.name, { weight: 'semibold', size: sheet.size + 3, width: rightEdge - leftEdge })
  writeParagraph(sheet, senderLines.join(' · '), { grey: true, size: sheet.size - 1, width: rightEdge - leftEdge })
  writeAddressField(sheet, {
    sender: [sender.name, ...senderLines].join(' · '),
    label: '',
    lines: [receiver.name, ...formatAddress(receiver.address, language, sender.address.country)]
  })
  const day = formatDay(content.writtenOn, language)
  writeParagraph(sheet, `${sender.address.city}, ${day}`, { align: 'right' })
  writeParagraph(sheet, own.subject(content.year), { as: 'H1', weight: 'semibold', size: sheet.size + 3, above: 1.5 })
  writeParagraph(sheet, own.salutation(receiver.name), { above: 1.2 })
  writeParagraph(sheet, fillIn(content.opening, content), { above: 0.8 })
}

/** The height in points that the words after the table need at least on the same page. */
const closingHeight = 140

function writeGifts(sheet: Sheet, content: LetterContent): void {
  const { language, gifts, currency, sender } = content
  const { columns, total, note, kinds } = strings[language]
  addSpace(sheet, 1)
  writeTable(
    sheet,
    [
      { head: columns.day, share: 26 },
      { head: columns.campaign, share: 50 },
      { head: columns.amount, share: 24, align: 'right' }
    ],
    [
      ...gifts.map(({ receivedOn, campaign, kind, amountCents }) => [
        formatDay(receivedOn, language),
        [campaign, kinds[kind]].filter(text => text !== '').join(', '),
        formatMoney(amountCents, currency, language)
      ]),
      ...(gifts.length > 1 ? [[total, '', formatMoney(sumGifts(content), currency, language)]] : [])
    ]
  )
  if (sheet.doc.y + closingHeight > bottomEdge) sheet.doc.addPage()
  writeParagraph(sheet, fillIn(content.closing, content), { above: 1.2 })
  writeParagraph(sheet, sender.name, { above: 2 })
  if (sender.signatory !== '') {
    writeParagraph(sheet, [sender.signatory, sender.signatoryRole].filter(text => text !== '').join(', '))
  }
  writeParagraph(sheet, note, { grey: true, size: sheet.size - 2, above: 2 })
}

export function sumGifts({ gifts }: Pick<LetterContent, 'gifts'>): number {
  return gifts.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

function fillIn(text: string, content: LetterContent): string {
  const amount = formatMoney(sumGifts(content), content.currency, content.language)
  return text.replaceAll('{year}', String(content.year)).replaceAll('{amount}', amount)
}

const locales = { en: 'en-GB', de: 'de-DE' } as const

/** Includes the country if it differs from that of the other side. */
function formatAddress({ street, postalCode, city, country }: Address, language: Language, home: string): string[] {
  const name = new Intl.DisplayNames(locales[language], { type: 'region' }).of(country) ?? country
  return [street, `${postalCode} ${city}`, ...(country === home ? [] : [name])]
}

function formatMoney(cents: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency }).format(cents / 100)
}

function formatDay(day: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
