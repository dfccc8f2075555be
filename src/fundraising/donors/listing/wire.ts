import type { Cell } from '#platform/csv/csv.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toAmount } from '../../money/money.ts'
import type { DonorRow, DonorYear } from './queries.ts'
import type { ListedDonor } from './schema.ts'

export function toListedDonor(row: DonorRow, years: DonorYear[]): ListedDonor {
  const { id, name, email, language, donationCount, firstDonationAt, lastDonationAt, lastReceivedOn } = row
  return {
    id,
    name,
    email,
    address: toAddress(row),
    language,
    donationCount,
    sums: toSums(years.filter(({ donorId }) => donorId === id)),
    firstDonationAt,
    lastDonationAt,
    lastReceivedOn
  }
}

function toAddress({ street, postalCode, city, country }: DonorRow): ListedDonor['address'] {
  if (street === null || postalCode === null || city === null || country === null) return null
  return { street, postalCode, city, country }
}

function toSums(years: DonorYear[]): ListedDonor['sums'] {
  const sums = new Map<string, number>()
  for (const { currency, receivedCents } of years) sums.set(currency, (sums.get(currency) ?? 0) + receivedCents)
  return [...sums].map(([currency, cents]) => ({ currency, received: toAmount(cents) }))
}

const csvColumns = [
  'id',
  'name',
  'email',
  'street',
  'postalCode',
  'city',
  'country',
  'language',
  'donations',
  'currency',
  'received',
  'firstDonation',
  'lastDonation',
  'lastPayment'
] as const

export function buildCsvHeader(language: Language): string[] {
  const headings = getMessages('csv-headings', language).donors
  return csvColumns.map(column => headings[column])
}

/** One line for each currency, so that amounts can be added up. */
export function toCsvRows(donor: ListedDonor): Cell[][] {
  const { street = '', postalCode = '', city = '', country = '' } = donor.address ?? {}
  const sums = donor.sums.length === 0 ? [{ currency: '', received: 0 }] : donor.sums
  return sums.map(({ currency, received }) => [
    donor.id,
    donor.name,
    donor.email,
    street,
    postalCode,
    city,
    country,
    donor.language,
    String(donor.donationCount),
    currency,
    received,
    donor.firstDonationAt,
    donor.lastDonationAt,
    donor.lastReceivedOn
  ])
}
