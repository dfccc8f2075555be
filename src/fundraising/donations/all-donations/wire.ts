import type { CsvWriter } from '#platform/csv/csv.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { EncryptionKeys } from '../../encryption/iban-encryption.ts'
import { toAmount } from '../../money/money.ts'
import { type Donation, donationStatuses } from '../schema.ts'
import * as donation from '../wire.ts'
import type { ListedDonationRow, Sum } from './queries.ts'
import type { DonationSummary, ListedDonation } from './schema.ts'

export function toWire(row: ListedDonationRow, settings: EncryptionKeys): ListedDonation {
  const shown: Donation = donation.forTreasurer(row, settings)
  return {
    ...shown,
    nextStatuses: row.campaignDeleted ? [] : (shown.nextStatuses ?? []),
    campaignName: row.campaignName,
    currency: row.currency,
    campaignDeleted: row.campaignDeleted
  }
}

export function toDonationSummary(
  byStatus: (Sum & { status: string; isWaiting: boolean })[],
  byDay?: { days: string[]; sums: (Sum & { date: string })[] }
): DonationSummary {
  const all = byStatus.reduce(
    (sum, { count, amountCents, receivedCents }) => ({
      count: sum.count + count,
      amountCents: sum.amountCents + amountCents,
      receivedCents: sum.receivedCents + receivedCents
    }),
    emptySum
  )
  const statuses = donationStatuses.map(status => [
    status,
    toSumJson(byStatus.find(sum => sum.status === status && !sum.isWaiting))
  ])
  const waiting = toSumJson(byStatus.find(({ isWaiting }) => isWaiting))
  const summary = { ...toSumJson(all), byStatus: Object.fromEntries(statuses), waitingForReview: waiting }
  if (byDay === undefined) return summary
  const sums = new Map(byDay.sums.map(sum => [sum.date, sum]))
  return { ...summary, byDay: byDay.days.map(date => ({ date, ...toSumJson(sums.get(date)) })) }
}

const emptySum: Sum = { count: 0, amountCents: 0, receivedCents: 0 }

function toSumJson({ count, amountCents, receivedCents }: Sum = emptySum): {
  count: number
  amount: number
  received: number
} {
  return { count, amount: toAmount(amountCents), received: toAmount(receivedCents) }
}

export function buildCsvHeader(language: Language): string[] {
  return [...donation.buildCsvHeader(language), getMessages('csv-headings', language).donations.campaign]
}

export function buildCsvLine(csv: CsvWriter, row: ListedDonationRow, settings: EncryptionKeys): string {
  return donation.buildCsvLine(csv, row, { currency: row.currency, settings, more: [row.campaignName] })
}
