import type { Database } from '#platform/database/database.ts'
import * as donorRecords from './sources/donor-records.ts'
import * as mandates from './sources/mandates.ts'
import * as news from './sources/news.ts'
import * as payerRules from './sources/payer-rules.ts'
import * as receipts from './sources/receipts.ts'
import * as payments from './sources/statement-entries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** A source of personal data besides the donation itself. */
export interface PersonalDataSource {
  kind: 'mandates' | 'receipts' | 'payments' | 'payerRules' | 'donorRecords' | 'news'
  /** All personal data of the source, for the export to the person. */
  list(db: Database, donations: DonationKey[]): Promise<object[]>
  /** Erases everything the law does not require us to keep at that time; can be called again later. */
  erase(tx: Database, donations: DonationKey[], now: Date): Promise<number>
}

export const personalDataSources: readonly PersonalDataSource[] = [
  { kind: 'mandates', ...mandates },
  // Before the payments, whose IBANs find the rules.
  { kind: 'payerRules', list: payerRules.list, erase: payerRules.erase },
  { kind: 'payments', ...payments },
  { kind: 'receipts', ...receipts },
  { kind: 'donorRecords', list: donorRecords.list, erase: donorRecords.erase },
  { kind: 'news', ...news }
]
