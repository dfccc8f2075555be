import type { DonationKind, InKind } from '../../donation-kind.ts'
import type { Address } from '../../money/address.ts'
import type { Issuer, ReceiptContent } from '../content.ts'
import { formatAmountInWords } from './amount-in-words.ts'
import { addSpace, drawHorizontalRule, drawImage, type Sheet, writeParagraph, writeTable } from './layout.ts'
import { writeLetterHead } from './letter-head.ts'

/**
 * The text of the official forms for donations of money and in kind to bodies under § 5 Abs. 1 Nr. 9 KStG
 * (Bundesministerium der Finanzen, 7 November 2013, IV C 4 - S 2223/07/0018 :005). Wording and order must not change,
 * thanks or advertising must not be added, and all of it must be on one page.
 */
const form = {
  issuer: 'Aussteller (Bezeichnung und Anschrift der steuerbegünstigten Einrichtung)',
  single: 'Bestätigung über Geldzuwendungen/Mitgliedsbeitrag',
  collective: 'Sammelbestätigung über Geldzuwendungen/Mitgliedsbeiträge',
  inKind: 'Bestätigung über Sachzuwendungen',
  bodies:
    'im Sinne des § 10b des Einkommensteuergesetzes an eine der in § 5 Abs. 1 Nr. 9 des Körperschaftsteuergesetzes ' +
    'bezeichneten Körperschaften, Personenvereinigungen oder Vermögensmassen',
  donor: 'Name und Anschrift des Zuwendenden:',
  amount: 'Betrag der Zuwendung\n- in Ziffern -',
  total: 'Gesamtbetrag der Zuwendung\n- in Ziffern -',
  value: 'Wert der Zuwendung\n- in Ziffern -',
  words: '- in Buchstaben -',
  day: 'Tag der Zuwendung:',
  period: 'Zeitraum der Sammelbestätigung:',
  waiver: 'Es handelt sich um den Verzicht auf Erstattung von Aufwendungen',
  thing: 'Genaue Bezeichnung der Sachzuwendung mit Alter, Zustand, Kaufpreis usw.',
  origins: {
    business:
      'Die Sachzuwendung stammt nach den Angaben des Zuwendenden aus dem Betriebsvermögen. Die Zuwendung wurde nach dem ' +
      'Wert der Entnahme (ggf. mit dem niedrigeren gemeinen Wert) und nach der Umsatzsteuer, die auf die Entnahme ' +
      'entfällt, bewertet.',
    private: 'Die Sachzuwendung stammt nach den Angaben des Zuwendenden aus dem Privatvermögen.',
    unknown: 'Der Zuwendende hat trotz Aufforderung keine Angaben zur Herkunft der Sachzuwendung gemacht.'
  },
  documents: 'Geeignete Unterlagen, die zur Wertermittlung gedient haben, z. B. Rechnung, Gutachten, liegen vor.',
  onlyWithoutFees:
    'Nur für steuerbegünstigte Einrichtungen, bei denen die Mitgliedsbeiträge steuerlich nicht abziehbar sind:',
  noFee:
    'Es wird bestätigt, dass es sich nicht um einen Mitgliedsbeitrag handelt, dessen Abzug nach § 10b Abs. 1 des ' +
    'Einkommensteuergesetzes ausgeschlossen ist.',
  noOther:
    'Es wird bestätigt, dass über die in der Gesamtsumme enthaltenen Zuwendungen keine weiteren Bestätigungen, weder ' +
    'formelle Zuwendungsbestätigungen noch Beitragsquittungen oder Ähnliches ausgestellt wurden und werden.',
  waiverInAnnex:
    'Ob es sich um den Verzicht auf Erstattung von Aufwendungen handelt, ist der Anlage zur Sammelbestätigung zu entnehmen.',
  signature: '(Ort, Datum und Unterschrift des Zuwendungsempfängers)',
  note: 'Hinweis:',
  liability:
    'Wer vorsätzlich oder grob fahrlässig eine unrichtige Zuwendungsbestätigung erstellt oder veranlasst, dass ' +
    'Zuwendungen nicht zu den in der Zuwendungsbestätigung angegebenen steuerbegünstigten Zwecken verwendet werden, ' +
    'haftet für die entgangene Steuer (§ 10b Abs. 4 EStG, § 9 Abs. 3 KStG, § 9 Nr. 5 GewStG).',
  validity:
    'Diese Bestätigung wird nicht als Nachweis für die steuerliche Berücksichtigung der Zuwendung anerkannt, wenn das ' +
    'Datum des Freistellungsbescheides länger als 5 Jahre bzw. das Datum der Feststellung der Einhaltung der ' +
    'satzungsmäßigen Voraussetzungen nach § 60a Abs. 1 AO länger als 3 Jahre seit Ausstellung des Bescheides ' +
    'zurückliegt (§ 63 Abs. 5 AO).',
  annex: 'Anlage zur Sammelbestätigung',
  annexDay: 'Datum der Zuwendung',
  annexKind: 'Art der Zuwendung (Geldzuwendung/Mitgliedsbeitrag)',
  annexWaiver: 'Verzicht auf die Erstattung von Aufwendungen (ja/nein)',
  annexAmount: 'Betrag',
  annexTotal: 'Gesamtsumme'
}

const ticked = '☑'
const empty = '☐'

export function formatGermanTitle(content: ReceiptContent): string {
  return `${getTitle(content)} ${content.number}`
}

function getTitle(content: ReceiptContent): string {
  return getGiftInKind(content) === undefined ? form[content.kind] : form.inKind
}

/** The donation in kind that the receipt certifies, if any. */
export function getGiftInKind({ donations }: ReceiptContent): InKind | undefined {
  return donations[0]?.inKind
}

/** The kind of a single receipt; collective receipts state it per line. */
export function getSingleKind({ kind, donations }: ReceiptContent): DonationKind | undefined {
  return kind === 'single' ? (donations[0]?.kind ?? 'money') : undefined
}

/** `signature` is the image for receipts signed by machine. */
export function writeGermanFront(
  sheet: Sheet,
  content: ReceiptContent,
  { isCopy, signature }: { isCopy: boolean; signature: Buffer | undefined }
): void {
  const { issuer, donor } = content
  const isSingle = content.kind === 'single'
  const kind = getSingleKind(content)
  const thing = getGiftInKind(content)
  writeLetterHead(sheet, {
    issuer: { label: form.issuer, name: issuer.legalName, lines: formatGermanAddress(issuer.address) },
    headerCorner: [
      `Nr. ${content.number}`,
      ...(kind === 'membership_fee' ? ['Art der Zuwendung: Mitgliedsbeitrag'] : []),
      ...(isCopy ? ['Zweitschrift'] : []),
      ...(content.replaces === null ? [] : [`Ersetzt Nr. ${content.replaces}`])
    ],
    title: getTitle(content),
    subtitle: form.bodies,
    donor: { label: form.donor, lines: [donor.name, ...formatGermanAddress(donor.address)] }
  })
  const amountHead = isSingle ? form.amount : form.total
  writeTable(
    sheet,
    [
      { head: thing === undefined ? amountHead : form.value, share: 26 },
      { head: form.words, share: 50 },
      { head: isSingle ? form.day : form.period, share: 24 }
    ],
    [
      [
        formatEuro(content.amountCents),
        formatAmountInWords(content.amountCents, content.currency, 'de'),
        isSingle
          ? formatGermanDay(content.period.from)
          : `${formatGermanDay(content.period.from)} bis ${formatGermanDay(content.period.to)}`
      ]
    ],
    { strong: true }
  )

  if (thing !== undefined) writeGiftInKind(sheet, thing)
  else if (isSingle) {
    const [yes, no] = kind === 'waived_expenses' ? [ticked, empty] : [empty, ticked]
    writeParagraph(sheet, `${form.waiver}   Ja ${yes}   Nein ${no}`, { above: 0.8 })
  }
  writeParagraph(sheet, `${ticked} ${formatExemption(issuer)}`, { above: 0.8 })
  writeParagraph(sheet, `Es wird bestätigt, dass die Zuwendung nur zur Förderung ${issuer.purposes} verwendet wird.`, {
    above: 0.6
  })
  if (issuer.feesDeductible !== true && thing === undefined) {
    writeParagraph(sheet, form.onlyWithoutFees, { size: sheet.size - 1, above: 0.6 })
    writeParagraph(sheet, `${ticked} ${form.noFee}`)
  }
  if (!isSingle) {
    writeParagraph(sheet, form.noOther, { above: 0.6 })
    writeParagraph(sheet, form.waiverInAnnex, { above: 0.6 })
  }

  addSpace(sheet, 0.8)
  if (signature === undefined) addSpace(sheet, 2.6)
  else drawImage(sheet, signature, `Unterschrift ${issuer.signatory}`, 40)
  writeParagraph(sheet, `${issuer.address.city}, ${formatGermanDay(content.issuedOn)}   ${formatSignatory(issuer)}`)
  drawHorizontalRule(sheet, { above: 0.1 })
  writeParagraph(sheet, form.signature, { size: sheet.size - 2, above: 0.2 })
  if (signature !== undefined && issuer.taxOfficeInformedOn !== null) {
    writeParagraph(
      sheet,
      'Diese Zuwendungsbestätigung wurde maschinell erstellt und ist ohne eigenhändige Unterschrift gültig. Die Nutzung ' +
        `des maschinellen Verfahrens wurde dem Finanzamt ${issuer.taxOffice} am ${formatGermanDay(issuer.taxOfficeInformedOn)} angezeigt.`,
      { size: sheet.size - 1, above: 0.5 }
    )
  }
  writeParagraph(sheet, form.note, { weight: 'semibold', size: sheet.size - 1, above: 0.8 })
  writeParagraph(sheet, form.liability, { size: sheet.size - 1 })
  writeParagraph(sheet, form.validity, { size: sheet.size - 1, above: 0.4 })
}

function writeGiftInKind(sheet: Sheet, { description, condition, basis, origin, documents }: InKind): void {
  const lines = [description, condition ?? '', basis == null ? '' : `Grundlage der Bewertung: ${basis}`]
  addSpace(sheet, 0.6)
  writeTable(sheet, [{ head: form.thing, share: 1 }], [[lines.filter(line => line !== '').join('\n')]])
  writeParagraph(sheet, `${ticked} ${form.origins[origin]}`, { above: 0.6 })
  if (documents === true) writeParagraph(sheet, `${ticked} ${form.documents}`, { above: 0.3 })
}

/** The annex of a collective receipt, with one line per payment. */
export function writeGermanAnnex(sheet: Sheet, content: ReceiptContent): void {
  if (content.kind === 'single') return
  sheet.doc.addPage()
  const title = `${form.annex} vom ${formatGermanDay(content.issuedOn)}, Nr. ${content.number}`
  writeParagraph(sheet, title, { as: 'H2', weight: 'semibold', size: sheet.size + 2 })
  addSpace(sheet, 0.8)
  writeTable(
    sheet,
    [
      { head: form.annexDay, share: 22 },
      { head: form.annexKind, share: 30 },
      { head: form.annexWaiver, share: 28 },
      { head: form.annexAmount, share: 20, align: 'right' }
    ],
    [
      ...content.donations.map(one => [
        formatGermanDay(one.receivedOn),
        one.kind === 'membership_fee' ? 'Mitgliedsbeitrag' : 'Geldzuwendung',
        one.kind === 'waived_expenses' ? 'ja' : 'nein',
        formatEuro(one.amountCents)
      ]),
      [form.annexTotal, '', '', formatEuro(content.amountCents)]
    ]
  )
}

/** The basis of the tax exemption, in the words of the form. */
export function formatExemption({ exemption, taxOffice, taxNumber, purposes, promotes = purposes }: Issuer): string {
  if (exemption.kind === 'provisional') {
    return (
      'Die Einhaltung der satzungsmäßigen Voraussetzungen nach den §§ 51, 59, 60 und 61 AO wurde vom Finanzamt ' +
      `${taxOffice}, StNr. ${taxNumber}, mit Bescheid vom ${formatGermanDay(exemption.date)} nach § 60a AO gesondert festgestellt. ` +
      `Wir fördern nach unserer Satzung ${promotes}.`
    )
  }
  return (
    `Wir sind wegen Förderung ${purposes} nach dem Freistellungsbescheid bzw. nach der Anlage zum ` +
    `Körperschaftsteuerbescheid des Finanzamtes ${taxOffice}, StNr. ${taxNumber}, vom ${formatGermanDay(exemption.date)} für den ` +
    `letzten Veranlagungszeitraum ${exemption.period ?? ''} nach § 5 Abs. 1 Nr. 9 des Körperschaftsteuergesetzes von der ` +
    'Körperschaftsteuer und nach § 3 Nr. 6 des Gewerbesteuergesetzes von der Gewerbesteuer befreit.'
  )
}

export function formatSignatory({ signatory, signatoryRole }: Issuer): string {
  return signatoryRole === '' ? signatory : `${signatory}, ${signatoryRole}`
}

/** Within Germany the address leaves out the country. */
export function formatGermanAddress({ street, postalCode, city, country }: Address): string[] {
  const lines = [street, `${postalCode} ${city}`]
  return country === 'DE' ? lines : [...lines, new Intl.DisplayNames('de', { type: 'region' }).of(country) ?? country]
}

let money: Intl.NumberFormat | undefined

export function formatEuro(cents: number): string {
  money ??= new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })
  return money.format(cents / 100)
}

/** `2026-12-24` in German notation: 24.12.2026. */
export function formatGermanDay(date: string): string {
  return date.split('-').reverse().join('.')
}
