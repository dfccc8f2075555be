import type { Text } from '#platform/language.ts'

/** Why an entry has its result, if the result alone does not tell. */
export const reasons = {
  pending: {
    en: 'Not booked by the bank yet (pending). It will be in a later statement.',
    de: 'Von der Bank noch nicht gebucht (vorgemerkt). Der Umsatz folgt in einem späteren Auszug.'
  },
  outgoing: { en: 'Outgoing payment.', de: 'Ausgehende Zahlung.' },
  refund: {
    en: 'Outgoing payment that names a donation: possibly a refund.',
    de: 'Ausgehende Zahlung, die eine Spende nennt: möglicherweise eine Erstattung.'
  },
  'came-back': {
    en: 'Outgoing payment that was returned.',
    de: 'Ausgehende Zahlung, die zurückkam (Rücküberweisung).'
  },
  'no-donation': { en: 'No matching donation.', de: 'Keine passende Spende gefunden.' },
  'by-hand': { en: 'A treasurer ignored it.', de: 'Von Hand ignoriert.' },
  'by-rule': { en: 'Ignored by a rule.', de: 'Durch eine Regel ignoriert.' },
  'collection-credit': { en: 'Credit of a direct debit batch.', de: 'Gutschrift eines Lastschrifteinzugs.' },
  'taken-back': { en: 'The assignment was undone.', de: 'Die Zuordnung wurde aufgehoben.' },
  'known-before': {
    en: 'Duplicate: already in an earlier file.',
    de: 'Dublette: schon in einer früheren Datei enthalten.'
  },
  'several-references': {
    en: 'Several donations match equally well.',
    de: 'Mehrere Spenden passen gleich gut.'
  },
  'already-received': {
    en: 'This donation was already received: possibly paid twice.',
    de: 'Diese Spende ist schon eingegangen: möglicherweise doppelt gezahlt.'
  },
  'was-cancelled': { en: 'This donation was cancelled.', de: 'Diese Spende wurde storniert.' },
  'had-failed': { en: 'This donation failed.', de: 'Diese Spende ist fehlgeschlagen.' },
  'was-refunded': { en: 'This donation was refunded.', de: 'Diese Spende wurde erstattet.' },
  'other-currency': {
    en: 'The currency differs from that of the campaign.',
    de: 'Die Währung weicht von der der Spendenaktion ab.'
  },
  'paid-less': { en: 'Less than pledged.', de: 'Weniger als zugesagt.' },
  'paid-more': { en: 'More than pledged.', de: 'Mehr als zugesagt.' },
  'other-account': {
    en: 'Received on another account than that of the campaign.',
    de: 'Auf einem anderen Konto eingegangen als dem der Spendenaktion.'
  },
  typo: { en: 'The reference has a typo.', de: 'Die Referenz hat einen Tippfehler.' },
  'same-account': {
    en: 'Reference not found, but account and amount match.',
    de: 'Referenz nicht gefunden, aber Konto und Betrag stimmen überein.'
  },
  'same-name': {
    en: 'Reference not found, but name and amount match.',
    de: 'Referenz nicht gefunden, aber Name und Betrag stimmen überein.'
  },
  'return-without-donation': {
    en: 'Return without a matching donation.',
    de: 'Rücklastschrift ohne passende Spende.'
  },
  'other-amount': {
    en: 'The returned amount differs from the donation.',
    de: 'Der zurückgegebene Betrag weicht von der Spende ab.'
  },
  'nothing-to-return': {
    en: 'Return, but this donation is already closed.',
    de: 'Rücklastschrift, aber diese Spende ist schon abgeschlossen.'
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
  AM04: { en: 'insufficient funds', de: 'das Konto war nicht gedeckt' },
  AM05: { en: 'it was sent twice', de: 'es wurde doppelt eingereicht' },
  BE04: { en: 'the address is missing', de: 'die Anschrift fehlt' },
  BE05: { en: 'the creditor identifier is wrong', de: 'die Gläubiger-ID ist falsch' },
  CNOR: { en: 'the creditor’s bank is not known', de: 'die Bank des Einreichers ist nicht bekannt' },
  DNOR: { en: 'the payer’s bank is not known', de: 'die Bank des Zahlers ist nicht bekannt' },
  FF01: { en: 'the format is wrong', de: 'das Format ist falsch' },
  FOCR: { en: 'recalled', de: 'es wurde zurückgerufen' },
  MD01: { en: 'there is no mandate', de: 'es gibt kein Mandat' },
  MD02: { en: 'the mandate is incomplete', de: 'das Mandat ist unvollständig' },
  MD06: { en: 'the payer requested a refund', de: 'der Zahler hat das Geld zurückverlangt' },
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
