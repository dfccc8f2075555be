import type * as BankData from 'bankdata-germany'
import { isValidIBAN } from 'ibantools'
import { requireLazily } from '../lazy-require.ts'

const loadBankData = requireLazily<typeof BankData>('bankdata-germany')

/** Source of the bank names and BICs, and their period of validity. A test compares this with the package. */
export const bankData = {
  source: 'Deutsche Bundesbank, Bankleitzahlendatei (bankdata-germany 2.2602.0)',
  validFrom: '2026-06-08',
  validUntil: '2026-12-06'
}

export interface Bank {
  name: string
  bic: string | null
}

/** Finds the bank of a valid IBAN; only German banks are known. */
export function findBank(iban: string, now = new Date()): Bank | undefined {
  if (!iban.startsWith('DE') || !isValidIBAN(iban)) return undefined
  const found = loadBankData().bankDataByIBAN(iban, now)
  return found === null ? undefined : { name: found.bankName, bic: found.bic ?? null }
}

/** The bank name as entered, else the known one. */
export function getBankName(iban: string, written: string | null | undefined): string {
  return written || (findBank(iban)?.name ?? '')
}
