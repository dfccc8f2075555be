import { type Language, pickByLanguage, type Text } from '#platform/language.ts'
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

const retentionReasons: Record<RetainedRow['what'], Text> = {
  receipts: {
    en: 'Tax law requires copies of receipts to be kept, including name and address.',
    de: 'Das Steuerrecht verlangt, Doppel von Zuwendungsbestätigungen mit Name und Anschrift aufzubewahren.'
  },
  mandates: {
    en: 'The mandate is the proof of consent to the direct debit.',
    de: 'Das Mandat ist der Nachweis der Zustimmung zur Lastschrift.'
  }
}

/** One line per kind; the newest record determines the retention date. */
export function toRetainedJson(rows: RetainedRow[], years: number, language: Language): Retained[] {
  return (['receipts', 'mandates'] as const).flatMap(what => {
    const some = rows.filter(row => row.what === what)
    if (some.length === 0) return []
    const year = some.reduce((latest, row) => Math.max(latest, row.year), 0)
    const count = new Set(some.map(({ id }) => id)).size
    return [{ what, count, until: `${year + years}-12-31`, why: pickByLanguage(retentionReasons[what], language) }]
  })
}
