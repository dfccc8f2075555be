import { friendlyFormatIBAN, getCountrySpecifications, isSEPACountry } from 'ibantools'
import { bankData, findBank } from '#platform/banking/banks.ts'
import type { Language } from '#platform/language.ts'
import { isValidIban } from '../money/iban.ts'
import type { IbanInfo } from './schema.ts'

/** What can be said of an account number without asking a bank. */
export function toWire(iban: string, language: Language): IbanInfo {
  const country = iban.slice(0, 2)
  const bank = findBank(iban)
  return {
    iban,
    formatted: friendlyFormatIBAN(iban) ?? iban,
    valid: isValidIban(iban),
    country,
    countryName: getCountryName(country, language),
    bankName: bank?.name ?? null,
    bic: bank?.bic ?? null,
    sepa: isSEPACountry(country),
    data: bankData
  }
}

/** Only of countries that have IBANs: others are no country at all, or none that money could go to. */
function getCountryName(country: string, language: Language): string | null {
  if (getCountrySpecifications()[country]?.chars == null) return null
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? null
}
