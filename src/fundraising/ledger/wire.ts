import type { Csv } from '#platform/csv.ts'
import type { Language } from '#platform/language.ts'
import { type Donation, donationStatuses } from '../donations/schema.ts'
import * as donation from '../donations/wire.ts'
import { toAmount } from '../money.ts'
import type { Keys } from '../vault.ts'
import type { EntryRow, Sum } from './queries.ts'
import type { LedgerEntry, LedgerSummary } from './schema.ts'

export function toWire(row: EntryRow, settings: Keys): LedgerEntry {
  const shown: Donation = donation.forTreasurer(row, settings)
  return {
    ...shown,
    nextStatuses: row.campaignDeleted ? [] : (shown.nextStatuses ?? []),
    campaignName: row.campaignName,
    currency: row.currency,
    campaignDeleted: row.campaignDeleted
  }
}

export function summaryOf(
  byStatus: (Sum & { status: string; isWaiting: boolean })[],
  byDay?: { days: string[]; sums: (Sum & { date: string })[] }
): LedgerSummary {
  const all = byStatus.reduce(
    (sum, { count, amountCents, receivedCents }) => ({
      count: sum.count + count,
      amountCents: sum.amountCents + amountCents,
      receivedCents: sum.receivedCents + receivedCents
    }),
    none
  )
  const statuses = donationStatuses.map(status => [
    status,
    sumOf(byStatus.find(sum => sum.status === status && !sum.isWaiting))
  ])
  const waiting = sumOf(byStatus.find(({ isWaiting }) => isWaiting))
  const summary = { ...sumOf(all), byStatus: Object.fromEntries(statuses), waitingForReview: waiting }
  if (byDay === undefined) return summary
  const sums = new Map(byDay.sums.map(sum => [sum.date, sum]))
  return { ...summary, byDay: byDay.days.map(date => ({ date, ...sumOf(sums.get(date)) })) }
}

const none: Sum = { count: 0, amountCents: 0, receivedCents: 0 }

function sumOf({ count, amountCents, receivedCents }: Sum = none): { count: number; amount: number; received: number } {
  return { count, amount: toAmount(amountCents), received: toAmount(receivedCents) }
}

export const csvHead: Record<Language, string[]> = {
  en: [...donation.csvHead.en, 'campaign'],
  de: [...donation.csvHead.de, 'Kampagne']
}

export function csvLine(csv: Csv, row: EntryRow, settings: Keys): string {
  return donation.csvLine(csv, row, { currency: row.currency, settings, more: [row.campaignName] })
}
