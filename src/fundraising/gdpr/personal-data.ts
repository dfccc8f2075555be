import type { Database } from '#platform/database/database.ts'
import * as mandates from './sources/mandates.ts'
import * as payerRules from './sources/payer-rules.ts'
import * as receipts from './sources/receipts.ts'
import * as payments from './sources/statement-entries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** What a part keeps of a person besides the donation itself. */
export interface PersonalDataSource {
  kind: 'mandates' | 'receipts' | 'payments' | 'payerRules'
  /** All that it knows, as it is handed out to the person. */
  list(db: Database, donations: DonationKey[]): Promise<object[]>
  /** Erases it, but for what the law wants kept at that moment; may be asked again later. */
  erase(tx: Database, donations: DonationKey[], now: Date): Promise<number>
}

/** Every such part. */
export const personalDataSources: readonly PersonalDataSource[] = [
  { kind: 'mandates', ...mandates },
  // Before the payments, whose account numbers it is found by.
  { kind: 'payerRules', list: payerRules.list, erase: payerRules.erase },
  { kind: 'payments', ...payments },
  { kind: 'receipts', ...receipts }
]
