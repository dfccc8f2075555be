import { isValidIBAN } from 'ibantools'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { checkIban } from '../format/iban.ts'

/** Error message of an IBAN. The forms refuse what a bank would refuse, even where the API is lenient. */
export function describeIbanError(iban: string, language: Language): string | undefined {
  const strings = getMessages('donate', language).wrong
  const wrong = checkIban(iban)
  const country = iban.slice(0, 2)
  switch (wrong?.fault) {
    case undefined:
      // Some countries have further rules for the account number than `checkIban` in the browser knows.
      return isValidIBAN(iban) ? undefined : strings.ibanDigits
    case 'form':
      return strings.ibanForm
    case 'country':
      return strings.ibanCountry({ country })
    case 'length':
      return strings.ibanLength({ country, length: wrong.expected, given: iban.length })
    case 'digits':
      return strings.ibanDigits
  }
}
