import type { Issuer } from '../content.ts'
import { simplifiedProofMaxCents } from '../schema.ts'
import { formatEuro, formatExemption, formatGermanAddress, formatGermanDay } from './german.ts'
import { makePdf, writeParagraph } from './layout.ts'

/** A donation as the leaflet names it. */
export interface SmallDonation {
  amountCents: number
  receivedOn: string
  reference: string
}

/**
 * The leaflet that a donor keeps with the bank statement; together they prove a small donation (§ 50 Abs. 4 Satz 1 Nr.
 * 2 Buchst. b EStDV). There is no official form, the law only lists the required content. It has no number and is not
 * binding. German, because it is for the German tax office.
 */
export async function buildLeafletPdf(issuer: Issuer, donation: SmallDonation): Promise<Buffer> {
  const madeAt = new Date(`${donation.receivedOn}T00:00:00Z`)
  const title = 'Vereinfachter Zuwendungsnachweis'
  return await makePdf({ title, author: issuer.legalName, language: 'de', madeAt }, sheet => {
    writeParagraph(sheet, title, { as: 'H1', weight: 'semibold', size: sheet.size + 5 })
    writeParagraph(sheet, `für Zuwendungen bis ${formatEuro(simplifiedProofMaxCents)} (§ 50 Abs. 4 EStDV)`, {
      above: 0.1
    })
    writeParagraph(sheet, 'Zuwendungsempfänger', { as: 'H2', weight: 'semibold', above: 1.2 })
    writeParagraph(sheet, [issuer.legalName, ...formatGermanAddress(issuer.address)].join('\n'), { above: 0.2 })
    writeParagraph(sheet, 'Zuwendung', { as: 'H2', weight: 'semibold', above: 1.2 })
    writeParagraph(
      sheet,
      `Spende (Geldzuwendung, kein Mitgliedsbeitrag) über ${formatEuro(donation.amountCents)}, eingegangen am ${formatGermanDay(donation.receivedOn)}, ` +
        `Verwendungszweck ${donation.reference}`,
      { above: 0.2 }
    )
    writeParagraph(sheet, 'Steuerbegünstigung', { as: 'H2', weight: 'semibold', above: 1.2 })
    writeParagraph(sheet, formatExemption(issuer), { above: 0.2 })
    writeParagraph(sheet, `Die Zuwendung wird nur zur Förderung ${issuer.purposes} verwendet.`, { above: 0.6 })
    writeParagraph(sheet, 'So weisen Sie die Spende nach', { as: 'H2', weight: 'semibold', above: 1.2 })
    writeParagraph(
      sheet,
      `Für Zuwendungen bis ${formatEuro(simplifiedProofMaxCents)} genügt dem Finanzamt dieser Beleg zusammen mit dem ` +
        'Bareinzahlungsbeleg oder der Buchungsbestätigung Ihrer Bank, etwa dem Kontoauszug. Daraus müssen Name und Kontonummer ' +
        'oder ein sonstiges Identifizierungsmerkmal des Auftraggebers und des Empfängers, der Betrag, der Buchungstag sowie ' +
        'die tatsächliche Durchführung der Zahlung ersichtlich sein. Bitte heben Sie beides zusammen auf.',
      { above: 0.2 }
    )
  })
}
