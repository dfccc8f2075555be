import { isValidIBAN } from 'ibantools'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'

const ibanPattern = /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}$/

/** Removes spaces and converts to upper case; undefined if the text does not have the format of an IBAN. */
export function normalizeIban(text: string): string | undefined {
  const iban = text.replace(/\s+/g, '')
  // Tested before upper-casing, because that turns some non-ASCII letters into ASCII.
  return ibanPattern.test(iban) ? iban.toUpperCase() : undefined
}

/** Whether the check digits and the country's length are right. */
export function isValidIban(iban: string): boolean {
  return isValidIBAN(iban)
}

/** For display and logs: enough to recognise an account, too little to use it. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}…${iban.slice(-4)}`
}

/** Lenient: accepts any text in IBAN format and reports its validity. Strict: rejects wrong check digits. */
export const newIbanRule = (policy: 'lenient' | 'strict'): Rule => ({
  keyword: 'iban',
  type: 'string',
  check: (text: string) => {
    const iban = normalizeIban(text)
    if (iban === undefined) {
      return {
        code: 'iban-form',
        message: buildText('fundraising-rules', 'ibanForm')
      }
    }
    if (policy === 'strict' && !isValidIban(iban)) {
      return {
        code: 'iban-check',
        message: buildText('fundraising-rules', 'ibanCheck')
      }
    }
    return { value: iban }
  }
})

/** For IBAN validation requests: always accepts wrong check digits, whatever the policy. */
export const ibanFormRule: Rule = { ...newIbanRule('lenient'), keyword: 'ibanForm' }
