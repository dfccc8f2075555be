import type { Database } from '#platform/database.ts'
import * as mandates from './direct-debit/personal.ts'
import * as payerRules from './payer-rules/personal.ts'
import * as receipts from './receipts/personal.ts'
import * as payments from './statements/personal.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** What a part keeps of a person besides the donation itself. */
export interface Personal {
  what: 'mandates' | 'receipts' | 'payments' | 'payerRules'
  /** All that it knows, as it is handed out to the person. */
  listOf(db: Database, donations: DonationKey[]): Promise<object[]>
  /** Erases it, but for what the law wants kept at that moment; may be asked again later. */
  erase(tx: Database, donations: DonationKey[], now: Date): Promise<number>
}

/** Every such part. */
export const personal: readonly Personal[] = [
  { what: 'mandates', ...mandates },
  // Before the payments, whose account numbers it is found by.
  { what: 'payerRules', listOf: payerRules.listOf, erase: payerRules.erase },
  { what: 'payments', ...payments },
  { what: 'receipts', ...receipts }
]
