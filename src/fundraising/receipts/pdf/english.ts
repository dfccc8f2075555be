import type { DonationKind, InKind } from '../../donation-kind.ts'
import type { Address } from '../../money/address.ts'
import type { ReceiptContent } from '../content.ts'
import { formatAmountInWords } from './amount-in-words.ts'
import { formatSignatory, getGiftInKind, getSingleKind } from './german.ts'
import { addSpace, drawHorizontalRule, drawImage, type Sheet, writeParagraph, writeTable } from './layout.ts'
import { writeLetterHead } from './letter-head.ts'

/** For donors abroad: has the same content, and states that it is not the form of the German tax office. */
export function writeEnglishFront(
  sheet: Sheet,
  content: ReceiptContent,
  { isCopy, signature }: { isCopy: boolean; signature: Buffer | undefined }
): void {
  const { issuer, donor, period } = content
  const isSingle = content.kind === 'single'
  const kind = getSingleKind(content)
  const thing = getGiftInKind(content)
  writeLetterHead(sheet, {
    issuer: { label: 'Issued by', name: issuer.legalName, lines: formatAddress(issuer.address) },
    headerCorner: [
      `No. ${content.number}`,
      ...(isCopy ? ['Duplicate'] : []),
      ...(content.replaces === null ? [] : [`Replaces no. ${content.replaces}`])
    ],
    title: isSingle ? 'Donation receipt' : 'Collective donation receipt',
    subtitle: '',
    donor: { label: 'Donor', lines: [donor.name, ...formatAddress(donor.address)] }
  })
  writeParagraph(
    sheet,
    `We confirm that we have received ${kind === undefined ? 'these donations' : received[kind]} from ${donor.name}:`
  )
  addSpace(sheet, 0.8)
  writeTable(
    sheet,
    [
      { head: thing === undefined ? (isSingle ? 'Amount' : 'Total amount') : 'Value', share: 26 },
      { head: 'In words', share: 50 },
      { head: isSingle ? 'Received on' : 'Period', share: 24 }
    ],
    [
      [
        formatMoney(content.amountCents, content.currency),
        formatAmountInWords(content.amountCents, content.currency, 'en'),
        isSingle ? formatDay(period.from) : `${formatDay(period.from)} to ${formatDay(period.to)}`
      ]
    ],
    { strong: true }
  )
  if (thing !== undefined) writeGiftInKind(sheet, thing)
  const paper =
    issuer.exemption.kind === 'notice'
      ? `by the notice of the tax office ${issuer.taxOffice} dated ${formatDay(issuer.exemption.date)} for ${issuer.exemption.period}`
      : `by notice of the tax office ${issuer.taxOffice} dated ${formatDay(issuer.exemption.date)} under § 60a of the German Fiscal Code`
  writeParagraph(
    sheet,
    `${issuer.legalName} is a tax-exempt body under German law (§ 5 (1) no. 9 of the Corporation Tax Act) ${paper}, tax ` +
      `number ${issuer.taxNumber}. The donation is used only to promote these purposes, as German law words them: ${issuer.purposes}.`,
    { above: 1 }
  )
  if (!isSingle) {
    writeParagraph(sheet, 'No other receipt has been or will be issued for any donation that is part of the total.', {
      above: 0.6
    })
  }
  writeParagraph(
    sheet,
    'This is a receipt for donors who pay tax outside Germany. It is not the official form for a deduction in Germany, which ' +
      'is issued in German in its place on request. Whether the donation can be deducted depends on the law of your country.',
    { above: 0.6 }
  )
  addSpace(sheet, 1)
  if (signature === undefined) addSpace(sheet, 2.6)
  else drawImage(sheet, signature, `Signature of ${issuer.signatory}`, 40)
  writeParagraph(sheet, `${issuer.address.city}, ${formatDay(content.issuedOn)}   ${formatSignatory(issuer)}`)
  drawHorizontalRule(sheet, { above: 0.1 })
  writeParagraph(sheet, 'Place, date and signature', { size: sheet.size - 2, above: 0.2 })
}

export function writeEnglishAnnex(sheet: Sheet, content: ReceiptContent): void {
  if (content.kind === 'single') return
  sheet.doc.addPage()
  writeParagraph(
    sheet,
    `Annex to the collective donation receipt no. ${content.number} of ${formatDay(content.issuedOn)}`,
    {
      as: 'H2',
      weight: 'semibold',
      size: sheet.size + 2
    }
  )
  addSpace(sheet, 0.8)
  writeTable(
    sheet,
    [
      { head: 'Received on', share: 30 },
      { head: 'Kind', share: 40 },
      { head: 'Amount', share: 30, align: 'right' }
    ],
    [
      ...content.donations.map(one => [
        formatDay(one.receivedOn),
        lineKinds[one.kind ?? 'money'],
        formatMoney(one.amountCents, content.currency)
      ]),
      ['Total', '', formatMoney(content.amountCents, content.currency)]
    ]
  )
}

const received: Record<DonationKind, string> = {
  money: 'this donation of money',
  membership_fee: 'this membership fee',
  waived_expenses: 'this donation, made by waiving the refund of expenses,',
  in_kind: 'this gift in kind'
}

const lineKinds: Record<DonationKind, string> = {
  money: 'Donation of money',
  membership_fee: 'Membership fee',
  waived_expenses: 'Waived refund of expenses',
  in_kind: 'Gift in kind'
}

const origins: Record<InKind['origin'], string> = {
  private: 'As the donor states, it was private property.',
  business:
    'As the donor states, it was business property; it is valued as it was taken from the business, including VAT.',
  unknown: 'The donor was asked and did not state where it came from.'
}

function writeGiftInKind(sheet: Sheet, { description, condition, basis, origin, documents }: InKind): void {
  const lines = [description, condition ?? '', basis == null ? '' : `Basis of the value: ${basis}`]
  addSpace(sheet, 0.6)
  writeTable(
    sheet,
    [{ head: 'What was given, its age, condition and price', share: 1 }],
    [[lines.filter(line => line !== '').join('\n')]]
  )
  const kept = documents === true ? ' Documents that prove the value are kept.' : ''
  writeParagraph(sheet, `${origins[origin]}${kept}`, { above: 0.6 })
}

/** Always includes the country. */
function formatAddress({ street, postalCode, city, country }: Address): string[] {
  return [street, `${postalCode} ${city}`, new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country]
}

function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(cents / 100)
}

let days: Intl.DateTimeFormat | undefined

function formatDay(date: string): string {
  days ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return days.format(new Date(`${date}T00:00:00Z`))
}
