/**
 * The European Economic Area: between banks there the account number is enough. Banks of the other countries of SEPA want their code
 * and the donor's address besides, which we do not ask for.
 */
export const economicArea =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

export function isInEconomicArea(iban: string): boolean {
  return economicArea.includes(iban.slice(0, 2))
}
