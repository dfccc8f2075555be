import { friendlyFormatIBAN, getCountrySpecifications, isSEPACountry } from 'ibantools'
import { bankData, bankOf } from '#platform/banks.ts'
import type { Language } from '#platform/language.ts'
import { ibanIsValid } from '../iban.ts'
import type { IbanAnswer } from './schema.ts'

/** What can be said of an account number without asking a bank. */
export function toWire(iban: string, language: Language): IbanAnswer {
  const country = iban.slice(0, 2)
  const bank = bankOf(iban)
  return {
    iban,
    formatted: friendlyFormatIBAN(iban) ?? iban,
    valid: ibanIsValid(iban),
    country,
    countryName: countryNameOf(country, language),
    bankName: bank?.name ?? null,
    bic: bank?.bic ?? null,
    sepa: isSEPACountry(country),
    data: bankData
  }
}

/** Only of countries that have IBANs: others are no country at all, or none that money could go to. */
function countryNameOf(country: string, language: Language): string | null {
  if (getCountrySpecifications()[country]?.chars == null) return null
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? null
}
