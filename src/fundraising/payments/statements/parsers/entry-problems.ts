import type { EntryProblem } from './parsed-entry.ts'

/** Problems of a single payment. None quotes the file, because more people see problems than statements. */
export const problem = {
  amount: (): EntryProblem => ({
    code: 'amount',
    message: {
      en: 'Invalid amount.',
      de: 'Ungültiger Betrag.'
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
      en: 'The file does not say whether it is a credit or a debit.',
      de: 'Die Datei nennt nicht, ob es eine Gutschrift oder eine Belastung ist.'
    }
  }),
  contradiction: (): EntryProblem => ({
    code: 'direction-contradiction',
    message: {
      en: 'Contradictory data from the bank: credit in the booking, debit in its details, or the reverse. Check the account before you match it.',
      de: 'Widersprüchliche Angaben der Bank: Gutschrift laut Buchung, Belastung laut Einzelheiten oder umgekehrt. Prüfen Sie das Konto, bevor Sie den Umsatz zuordnen.'
    }
  }),
  day: (): EntryProblem => ({
    code: 'day',
    message: {
      en: 'Invalid booking date.',
      de: 'Ungültiger Buchungstag.'
    }
  }),
  currency: (): EntryProblem => ({
    code: 'currency',
    message: {
      en: 'The amount in the currency of the account is missing.',
      de: 'Der Betrag in der Währung des Kontos fehlt.'
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
      de: 'Die Bank hat einen ganzen Lastschrifteinzug zurückgewiesen: Nichts davon wird eingezogen. Stornieren Sie diesen Einzug, korrigieren Sie ihn und reichen Sie ihn neu ein.'
    }
  }),
  transaction: (): EntryProblem => ({
    code: 'transaction',
    message: {
      en: 'Invalid transaction (:61:).',
      de: 'Ungültiger Umsatz (:61:).'
    }
  }),
  quote: (line: number): EntryProblem => ({
    code: 'quote',
    message: {
      en: `Line ${line} opens a quote (") that is never closed. This line and everything after it was not read.`,
      de: `Zeile ${line} öffnet ein Anführungszeichen ("), das nie geschlossen wird. Diese Zeile und alles danach wurde nicht gelesen.`
    }
  })
}

/** Adds the line number of the file to a problem. */
export function addLine(line: number, { code, message }: EntryProblem): EntryProblem {
  return { code, message: { en: `Line ${line}: ${message.en}`, de: `Zeile ${line}: ${message.de}` } }
}
