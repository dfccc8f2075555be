import type { EntryProblem } from './parsed-entry.ts'

/** Problems of a single payment. None quotes the file, because more people see problems than statements. */
export const problem = {
  amount: (): EntryProblem => ({
    code: 'amount',
    message: {
      en: 'The amount cannot be read.',
      de: 'Der Betrag lässt sich nicht lesen.'
    }
  }),
  decimals: (): EntryProblem => ({
    code: 'amount-decimals',
    message: {
      en: 'The amount has more than two decimals.',
      de: 'Der Betrag hat mehr als zwei Nachkommastellen.'
    }
  }),
  large: (): EntryProblem => ({
    code: 'amount-too-large',
    message: {
      en: 'The amount is larger than 999999999.99.',
      de: 'Der Betrag ist größer als 999999999,99.'
    }
  }),
  direction: (): EntryProblem => ({
    code: 'direction',
    message: {
      en: 'The file does not say whether the money came or went.',
      de: 'Die Datei sagt nicht, ob das Geld ein- oder ausging.'
    }
  }),
  contradiction: (): EntryProblem => ({
    code: 'direction-contradiction',
    message: {
      en: 'The bank contradicts itself: the booking says that the money went one way, its details say the other. Check the account before you match it.',
      de: 'Die Bank widerspricht sich: Nach der Buchung ging das Geld in die eine Richtung, nach ihren Einzelheiten in die andere. Prüfen Sie das Konto, bevor Sie den Umsatz zuordnen.'
    }
  }),
  day: (): EntryProblem => ({
    code: 'day',
    message: {
      en: 'The day of the booking cannot be read.',
      de: 'Der Buchungstag lässt sich nicht lesen.'
    }
  }),
  currency: (): EntryProblem => ({
    code: 'currency',
    message: {
      en: 'The file does not say what this payment is worth in the currency of the account.',
      de: 'Die Datei sagt nicht, wie viel diese Zahlung in der Währung des Kontos wert ist.'
    }
  }),
  sum: (): EntryProblem => ({
    code: 'sum',
    message: {
      en: 'The payments of this booking do not add up to its amount.',
      de: 'Die Zahlungen dieser Buchung ergeben zusammen nicht ihren Betrag.'
    }
  }),
  batchRejected: (): EntryProblem => ({
    code: 'batch-rejected',
    message: {
      en: 'The bank rejected a whole direct debit batch: nothing of it is collected. Cancel that batch, correct it and submit it again.',
      de: 'Die Bank hat einen ganzen Lastschrifteinzug zurückgewiesen: Nichts davon wird eingezogen. Stornieren Sie diesen Einzug, berichtigen Sie ihn und reichen Sie ihn neu ein.'
    }
  }),
  transaction: (): EntryProblem => ({
    code: 'transaction',
    message: {
      en: 'The transaction (:61:) cannot be read.',
      de: 'Der Umsatz (:61:) lässt sich nicht lesen.'
    }
  }),
  quote: (line: number): EntryProblem => ({
    code: 'quote',
    message: {
      en: `Line ${line} opens a quote (") that is never closed: this line and everything behind it could not be read.`,
      de: `Zeile ${line} öffnet ein Anführungszeichen ("), das nie geschlossen wird: Diese Zeile und alles danach ließ sich nicht lesen.`
    }
  })
}

/** Adds the line number of the file to a problem. */
export function addLine(line: number, { code, message }: EntryProblem): EntryProblem {
  return { code, message: { en: `Line ${line}: ${message.en}`, de: `Zeile ${line}: ${message.de}` } }
}
