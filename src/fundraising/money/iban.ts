import { isValidIBAN } from 'ibantools'
import type { Rule } from '#platform/http/validation.ts'

const ibanPattern = /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}$/

/** The IBAN without blanks and in capitals; undefined if that has not the form of one. */
export function normalizeIban(text: string): string | undefined {
  const iban = text.replace(/\s+/g, '')
  // Looked at before it is put in capitals, because some foreign letters become plain ones there.
  return ibanPattern.test(iban) ? iban.toUpperCase() : undefined
}

/** Do the check digits fit, and the length for its country? */
export function isValidIban(iban: string): boolean {
  return isValidIBAN(iban)
}

/** For people and records: enough to recognise an account, too little to use it. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}…${iban.slice(-4)}`
}

/** Lenient: any text of the form is taken and reported on. Strict: wrong check digits are refused. */
export const newIbanRule = (policy: 'lenient' | 'strict'): Rule => ({
  keyword: 'iban',
  type: 'string',
  check: (text: string) => {
    const iban = normalizeIban(text)
    if (iban === undefined) {
      return {
        code: 'iban-form',
        message: {
          en: 'must be an IBAN: two letters, two digits and 11 to 30 letters or digits',
          de: 'muss eine IBAN sein: zwei Buchstaben, zwei Ziffern und 11 bis 30 Buchstaben oder Ziffern'
        }
      }
    }
    if (policy === 'strict' && !isValidIban(iban)) {
      return {
        code: 'iban-check',
        message: {
          en: 'is not a valid IBAN: its check digits or its length are wrong',
          de: 'ist keine gültige IBAN: Prüfziffern oder Länge stimmen nicht'
        }
      }
    }
    return { value: iban }
  }
})

/** For questions about an IBAN: one with wrong check digits is answered, whatever the policy is. */
export const ibanFormRule: Rule = { ...newIbanRule('lenient'), keyword: 'ibanForm' }
