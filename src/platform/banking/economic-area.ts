/**
 * The European Economic Area, within which the IBAN is enough. For an account in another SEPA country, a transfer or a
 * direct debit needs the BIC too, and a direct debit the donor's address.
 */
export const economicArea =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

export function isInEconomicArea(iban: string): boolean {
  return economicArea.includes(iban.slice(0, 2))
}
