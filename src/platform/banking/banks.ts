import type * as BankData from 'bankdata-germany'
import { isValidIBAN } from 'ibantools'
import { requireLazily } from '../lazy-require.ts'

const loadBankData = requireLazily<typeof BankData>('bankdata-germany')

/** Where names and BICs come from, and for which days they are meant. A test compares this with what the package says. */
export const bankData = {
  source: 'Deutsche Bundesbank, Bankleitzahlendatei (bankdata-germany 2.2602.0)',
  validFrom: '2026-06-08',
  validUntil: '2026-12-06'
}

export interface Bank {
  name: string
  bic: string | null
}

/** The bank of a valid IBAN, where it is known: those of Germany are. */
export function findBank(iban: string, now = new Date()): Bank | undefined {
  if (!iban.startsWith('DE') || !isValidIBAN(iban)) return undefined
  const found = loadBankData().bankDataByIBAN(iban, now)
  return found === null ? undefined : { name: found.bankName, bic: found.bic ?? null }
}

/** What somebody wrote as the bank's name; the known one where that is nothing. */
export function getBankName(iban: string, written: string | null | undefined): string {
  return written || (findBank(iban)?.name ?? '')
}
