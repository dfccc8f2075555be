import type { Address } from '../../address.ts'
import type { DonationKind, InKind } from '../../donation-kind.ts'
import type { ReceiptContent } from '../content.ts'
import { kindOn, signedBy, thingOn } from './german.ts'
import { writeLetterHead } from './letter-head.ts'
import { picture, rule, type Sheet, spaceLines, table, write } from './sheet.ts'
import { amountInWords } from './words.ts'

/** For donors elsewhere: it says the same, and that it is not the form of the German tax office. */
export function englishFront(
  sheet: Sheet,
  content: ReceiptContent,
  { isCopy, signature }: { isCopy: boolean; signature: Buffer | undefined }
): void {
  const { issuer, donor, period } = content
  const isSingle = content.kind === 'single'
  const kind = kindOn(content)
  const thing = thingOn(content)
  writeLetterHead(sheet, {
    issuer: { label: 'Issued by', name: issuer.legalName, lines: inLines(issuer.address) },
    corner: [
      `No. ${content.number}`,
      ...(isCopy ? ['Duplicate'] : []),
      ...(content.replaces === null ? [] : [`Replaces no. ${content.replaces}`])
    ],
    title: isSingle ? 'Donation receipt' : 'Collective donation receipt',
    subtitle: '',
    donor: { label: 'Donor', lines: [donor.name, ...inLines(donor.address)] }
  })
  write(
    sheet,
    `We confirm that we have received ${kind === undefined ? 'these donations' : received[kind]} from ${donor.name}:`
  )
  spaceLines(sheet, 0.8)
  table(
    sheet,
    [
      { head: thing === undefined ? (isSingle ? 'Amount' : 'Total amount') : 'Value', share: 26 },
      { head: 'In words', share: 50 },
      { head: isSingle ? 'Received on' : 'Period', share: 24 }
    ],
    [
      [
        money(content.amountCents, content.currency),
        amountInWords(content.amountCents, content.currency, 'en'),
        isSingle ? day(period.from) : `${day(period.from)} to ${day(period.to)}`
      ]
    ],
    { strong: true }
  )
  if (thing !== undefined) writeThing(sheet, thing)
  const paper =
    issuer.exemption.kind === 'notice'
      ? `by the notice of the tax office ${issuer.taxOffice} dated ${day(issuer.exemption.date)} for ${issuer.exemption.period}`
      : `by notice of the tax office ${issuer.taxOffice} dated ${day(issuer.exemption.date)} under § 60a of the German Fiscal Code`
  write(
    sheet,
    `${issuer.legalName} is a tax-exempt body under German law (§ 5 (1) no. 9 of the Corporation Tax Act) ${paper}, tax ` +
      `number ${issuer.taxNumber}. The donation is used only to promote these purposes, as German law words them: ${issuer.purposes}.`,
    { above: 1 }
  )
  if (!isSingle) {
    write(sheet, 'No other receipt has been or will be issued for any donation that is part of the total.', {
      above: 0.6
    })
  }
  write(
    sheet,
    'This is a receipt for donors who pay tax outside Germany. It is not the official form for a deduction in Germany, which ' +
      'is issued in German in its place on request. Whether the donation can be deducted depends on the law of your country.',
    { above: 0.6 }
  )
  spaceLines(sheet, 1)
  if (signature === undefined) spaceLines(sheet, 2.6)
  else picture(sheet, signature, `Signature of ${issuer.signatory}`, 40)
  write(sheet, `${issuer.address.city}, ${day(content.issuedOn)}   ${signedBy(issuer)}`)
  rule(sheet, { above: 0.1 })
  write(sheet, 'Place, date and signature', { size: sheet.size - 2, above: 0.2 })
}

export function englishAnnex(sheet: Sheet, content: ReceiptContent): void {
  if (content.kind === 'single') return
  sheet.doc.addPage()
  write(sheet, `Annex to the collective donation receipt no. ${content.number} of ${day(content.issuedOn)}`, {
    as: 'H2',
    weight: 'semibold',
    size: sheet.size + 2
  })
  spaceLines(sheet, 0.8)
  table(
    sheet,
    [
      { head: 'Received on', share: 30 },
      { head: 'Kind', share: 40 },
      { head: 'Amount', share: 30, align: 'right' }
    ],
    [
      ...content.donations.map(one => [
        day(one.receivedOn),
        lineKinds[one.kind ?? 'money'],
        money(one.amountCents, content.currency)
      ]),
      ['Total', '', money(content.amountCents, content.currency)]
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

function writeThing(sheet: Sheet, { description, condition, basis, origin, documents }: InKind): void {
  const lines = [description, condition ?? '', basis == null ? '' : `Basis of the value: ${basis}`]
  spaceLines(sheet, 0.6)
  table(
    sheet,
    [{ head: 'What was given, its age, condition and price', share: 1 }],
    [[lines.filter(line => line !== '').join('\n')]]
  )
  const kept = documents === true ? ' Documents that prove the value are kept.' : ''
  write(sheet, `${origins[origin]}${kept}`, { above: 0.6 })
}

/** Abroad the country is always named. */
function inLines({ street, postalCode, city, country }: Address): string[] {
  return [street, `${postalCode} ${city}`, new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country]
}

function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(cents / 100)
}

let days: Intl.DateTimeFormat | undefined

function day(date: string): string {
  days ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return days.format(new Date(`${date}T00:00:00Z`))
}
