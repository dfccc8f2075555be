import { friendlyFormatIBAN, getCountrySpecifications, isSEPACountry } from 'ibantools'
import { bankData, findBank } from '#platform/banking/banks.ts'
import type { Language } from '#platform/language.ts'
import { isValidIban } from '../money/iban.ts'
import type { IbanInfo } from './schema.ts'

/** What an IBAN reveals without a request to a bank. */
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

/** Only for countries that have IBANs; any other code is no country or cannot receive a transfer. */
function getCountryName(country: string, language: Language): string | null {
  if (getCountrySpecifications()[country]?.chars == null) return null
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? null
}
