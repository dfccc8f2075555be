import type { Issuer } from '../content.ts'
import { simplifiedProofMaxCents } from '../schema.ts'
import { day, euro, exemptionSentence, inLines } from './german.ts'
import { makePdf, write } from './sheet.ts'

/** A gift, as the leaflet names it. */
export interface SmallDonation {
  amountCents: number
  receivedOn: string
  reference: string
}

/**
 * What a donor keeps beside the bank statement, which together are the proof of a small gift (§ 50 Abs. 4 Satz 1 Nr. 2
 * Buchst. b EStDV). There is no official form for it; the law only says what must stand on it. It has no number and
 * binds nobody. German, as it is for the German tax office.
 */
export async function leafletPdf(issuer: Issuer, donation: SmallDonation): Promise<Buffer> {
  const madeAt = new Date(`${donation.receivedOn}T00:00:00Z`)
  const title = 'Vereinfachter Zuwendungsnachweis'
  return await makePdf({ title, author: issuer.legalName, language: 'de', madeAt }, sheet => {
    write(sheet, title, { as: 'H1', weight: 'semibold', size: sheet.size + 5 })
    write(sheet, `für Zuwendungen bis ${euro(simplifiedProofMaxCents)} (§ 50 Abs. 4 EStDV)`, { above: 0.1 })
    write(sheet, 'Zuwendungsempfänger', { as: 'H2', weight: 'semibold', above: 1.2 })
    write(sheet, [issuer.legalName, ...inLines(issuer.address)].join('\n'), { above: 0.2 })
    write(sheet, 'Zuwendung', { as: 'H2', weight: 'semibold', above: 1.2 })
    write(
      sheet,
      `Spende (Geldzuwendung, kein Mitgliedsbeitrag) über ${euro(donation.amountCents)}, eingegangen am ${day(donation.receivedOn)}, ` +
        `Verwendungszweck ${donation.reference}`,
      { above: 0.2 }
    )
    write(sheet, 'Steuerbegünstigung', { as: 'H2', weight: 'semibold', above: 1.2 })
    write(sheet, exemptionSentence(issuer), { above: 0.2 })
    write(sheet, `Die Zuwendung wird nur zur Förderung ${issuer.purposes} verwendet.`, { above: 0.6 })
    write(sheet, 'So weisen Sie die Spende nach', { as: 'H2', weight: 'semibold', above: 1.2 })
    write(
      sheet,
      `Für Zuwendungen bis ${euro(simplifiedProofMaxCents)} genügt dem Finanzamt dieser Beleg zusammen mit dem ` +
        'Bareinzahlungsbeleg oder der Buchungsbestätigung Ihrer Bank, etwa dem Kontoauszug. Daraus müssen Name und Kontonummer ' +
        'oder ein sonstiges Identifizierungsmerkmal des Auftraggebers und des Empfängers, der Betrag, der Buchungstag sowie ' +
        'die tatsächliche Durchführung der Zahlung ersichtlich sein. Bitte heben Sie beides zusammen auf.',
      { above: 0.2 }
    )
  })
}
