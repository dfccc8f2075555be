import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Note } from '../donations/notes/schema.ts'
import type { HistoryRow } from '../donations/status-queries.ts'
import { forTreasurer } from '../donations/wire.ts'
import type { EncryptionKeys } from '../encryption/iban-encryption.ts'
import type { PersonDonation, RetainedRow } from './queries.ts'
import type { DonorData, Retained } from './schema.ts'

type OfDonation<Row> = Row & { donationId: string }

export function toWire(
  row: PersonDonation,
  settings: EncryptionKeys,
  { histories, notes }: { histories: OfDonation<HistoryRow>[]; notes: OfDonation<Note>[] }
): DonorData['donations'][number] {
  return {
    ...forTreasurer(row, settings),
    campaignName: row.campaignName,
    currency: row.currency,
    deletedAt: row.deletedAt,
    history: histories
      .filter(({ donationId }) => donationId === row.id)
      .map(({ status, at, actor }) => ({ status, at, actor })),
    notes: notes
      .filter(({ donationId }) => donationId === row.id)
      .map(({ id, text, at, actor }) => ({ id, text, at, actor }))
  }
}

/** One line per kind; the newest record determines the retention date. */
export function toRetainedJson(rows: RetainedRow[], years: number, language: Language): Retained[] {
  return (['receipts', 'mandates'] as const).flatMap(what => {
    const some = rows.filter(row => row.what === what)
    if (some.length === 0) return []
    const year = some.reduce((latest, row) => Math.max(latest, row.year), 0)
    const count = new Set(some.map(({ id }) => id)).size
    return [
      {
        what,
        count,
        until: `${year + years}-12-31`,
        why: getMessages('fundraising-problems', language).retention[what]
      }
    ]
  })
}
