import type { Text } from '#platform/language.ts'

/** Why an entry has its result, if the result alone does not tell. */
export const reasons = {
  pending: {
    en: 'The bank has not booked it yet. It comes again when it has.',
    de: 'Die Bank hat das noch nicht gebucht. Es kommt wieder, sobald sie es hat.'
  },
  outgoing: { en: 'Money that was sent from the account.', de: 'Geld, das vom Konto abging.' },
  refund: {
    en: 'Money that was sent from the account and names a donation: it may have been paid back.',
    de: 'Geld, das vom Konto abging und eine Spende nennt: Vielleicht wurde sie zurückgezahlt.'
  },
  'came-back': {
    en: 'Money that was sent from the account and came back.',
    de: 'Geld, das vom Konto abging und zurückkam.'
  },
  'no-donation': { en: 'No donation fits.', de: 'Keine Spende passt dazu.' },
  'by-hand': { en: 'A treasurer ignored it.', de: 'Von Hand ignoriert.' },
  'by-rule': { en: 'Ignored by a rule.', de: 'Durch eine Regel ignoriert.' },
  'collection-credit': { en: 'Credit of a direct debit batch.', de: 'Gutschrift eines Lastschrifteinzugs.' },
  'taken-back': { en: 'It had been assigned, and was taken back.', de: 'Es war zugeordnet; das wurde zurückgenommen.' },
  'known-before': { en: 'It stood in an earlier file.', de: 'Es stand schon in einer früheren Datei.' },
  'several-references': {
    en: 'Several donations fit equally well.',
    de: 'Mehrere Spenden passen gleich gut.'
  },
  'already-received': {
    en: 'The money for this donation is there already: it may have been paid twice.',
    de: 'Das Geld für diese Spende ist schon da: Vielleicht wurde doppelt gezahlt.'
  },
  'was-cancelled': { en: 'This donation was cancelled.', de: 'Diese Spende wurde storniert.' },
  'had-failed': { en: 'This donation had failed.', de: 'Diese Spende war gescheitert.' },
  'was-refunded': { en: 'This donation was paid back.', de: 'Diese Spende wurde zurückgezahlt.' },
  'other-currency': {
    en: 'It came in another currency than the campaign has.',
    de: 'Es kam in einer anderen Währung als der der Kampagne.'
  },
  'paid-less': { en: 'Less came than was promised.', de: 'Es kam weniger als zugesagt.' },
  'paid-more': { en: 'More came than was promised.', de: 'Es kam mehr als zugesagt.' },
  'other-account': {
    en: 'It came to another account than the campaign names.',
    de: 'Es kam auf einem anderen Konto an, als die Kampagne nennt.'
  },
  typo: { en: 'The reference has a mistake.', de: 'Die Referenz hat einen Tippfehler.' },
  'same-account': {
    en: 'No reference, but account and amount fit.',
    de: 'Keine Referenz, aber Konto und Betrag passen.'
  },
  'same-name': {
    en: 'No reference, but name and amount fit.',
    de: 'Keine Referenz, aber Name und Betrag passen.'
  },
  'return-without-donation': {
    en: 'It was returned, and no donation fits.',
    de: 'Eine Rückgabe, zu der keine Spende passt.'
  },
  'other-amount': {
    en: 'Another amount was returned than was given.',
    de: 'Zurück ging ein anderer Betrag als gespendet.'
  },
  'nothing-to-return': {
    en: 'It was returned, but this donation is over already.',
    de: 'Eine Rückgabe, aber diese Spende ist schon abgeschlossen.'
  }
} satisfies Record<string, Text>

export type Reason = keyof typeof reasons

export const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code)

/** Meanings of the bank's return codes (ISO 20022 external code set). */
const returnCodes: Record<string, Text> = {
  AC01: { en: 'the account number is wrong', de: 'die Kontonummer ist falsch' },
  AC04: { en: 'the account is closed', de: 'das Konto ist aufgelöst' },
  AC06: { en: 'the account is blocked', de: 'das Konto ist gesperrt' },
  AC13: { en: 'the account is not a consumer’s', de: 'das Konto gehört keinem Verbraucher' },
  AG01: { en: 'the account does not allow it', de: 'das Konto lässt das nicht zu' },
  AG02: { en: 'the kind of payment is not allowed', de: 'die Zahlungsart ist nicht zulässig' },
  AM04: { en: 'there was not enough money on the account', de: 'das Konto war nicht gedeckt' },
  AM05: { en: 'it was sent twice', de: 'es wurde doppelt eingereicht' },
  BE04: { en: 'the address is missing', de: 'die Adresse fehlt' },
  BE05: { en: 'the creditor identifier is wrong', de: 'die Gläubiger-ID ist falsch' },
  CNOR: { en: 'the creditor’s bank is not known', de: 'die Bank des Einreichers ist nicht bekannt' },
  DNOR: { en: 'the payer’s bank is not known', de: 'die Bank des Zahlers ist nicht bekannt' },
  FF01: { en: 'the format is wrong', de: 'das Format ist falsch' },
  FOCR: { en: 'it was called back', de: 'es wurde zurückgerufen' },
  MD01: { en: 'there is no mandate', de: 'es gibt kein Mandat' },
  MD02: { en: 'the mandate is incomplete', de: 'das Mandat ist unvollständig' },
  MD06: { en: 'the payer asked for the money back', de: 'der Zahler hat das Geld zurückverlangt' },
  MD07: { en: 'the payer has died', de: 'der Zahler ist verstorben' },
  MS02: { en: 'the payer refused', de: 'der Zahler hat widersprochen' },
  MS03: { en: 'the bank gives no reason', de: 'die Bank nennt keinen Grund' },
  RC01: { en: 'the bank code is wrong', de: 'die Bankleitzahl ist falsch' },
  RR04: { en: 'for a legal reason', de: 'aus rechtlichen Gründen' },
  SL01: { en: 'the payer’s bank has blocked it for the payer', de: 'die Bank des Zahlers sperrt das für ihn' }
}

/** The meaning with its code; leaves out the bank's free text, which can contain personal data. */
export function describeReturn(given: string | null): { code: string; message: Text } {
  const code = /\b[A-Z]{2}[A-Z0-9]{2}\b/.exec(given ?? '')?.[0]
  const words = code === undefined ? undefined : returnCodes[code]
  if (code === undefined || words === undefined) {
    const named = code === undefined ? '' : ` (${code})`
    return {
      code: code ?? 'returned',
      message: { en: `The payment was returned${named}.`, de: `Die Zahlung wurde zurückgegeben${named}.` }
    }
  }
  return {
    code,
    message: {
      en: `The payment was returned: ${words.en} (${code}).`,
      de: `Die Zahlung wurde zurückgegeben: ${words.de} (${code}).`
    }
  }
}
