import { isValidIBAN } from 'ibantools'
import type { Language } from '#platform/language.ts'
import { ibanFault } from './iban.ts'
import { donateWords } from './text/donate.ts'

/** What is wrong with an account number, in words. The forms refuse what a bank would refuse, also where the API is lenient. */
export function ibanWrong(iban: string, language: Language): string | undefined {
  const words = donateWords[language].wrong
  const wrong = ibanFault(iban)
  const country = iban.slice(0, 2)
  switch (wrong?.fault) {
    case undefined:
      // Some countries say more about the inside of a number than browsers know.
      return isValidIBAN(iban) ? undefined : words.ibanDigits
    case 'form':
      return words.ibanForm
    case 'country':
      return words.ibanCountry(country)
    case 'length':
      return words.ibanLength(country, wrong.expected, iban.length)
    case 'digits':
      return words.ibanDigits
  }
}
