import { newUuidV7 } from '#platform/ids.ts'
import type { DonationKey, PaymentRow } from './queries.ts'
import type { PaymentSource } from './schema.ts'

/** Money that arrived, or went back if it is negative. */
export interface Arrival {
  amountCents: number
  receivedOn: string
  source: PaymentSource
  entry?: { statementId: number; id: string } | undefined
  collectionId?: number | undefined
}

/** What happens to the payments of one donation. */
export interface PaymentChange {
  donation: DonationKey
  /** Those that count, before. */
  payments: PaymentRow[]
  record: Arrival[]
  /** Ids of those that were a mistake. */
  takeBack: string[]
  /** Who records, when, and what the donation is then. */
  context: { actor: string; now: Date; donationVersion: number; statusBefore: string }
}

export interface PaymentsAfter {
  inserted: PaymentRow[]
  updated: PaymentRow[]
  takenBack: PaymentRow[]
  receivedCents: number
  /** The day of the newest payment that arrived. */
  receivedOn: string | null
  /** Receipts that certify money which has gone back. */
  contestedReceipts: string[]
}

/** Thrown where more would go back than has arrived. */
export class MoreThanReceived extends Error {
  readonly receivedCents: number
  constructor(receivedCents: number) {
    super('More would go back than has arrived.')
    this.receivedCents = receivedCents
  }
}

/**
 * Works out what recording and taking back payments leaves. Money that goes back reverses the newest payments first; taking back a
 * payment takes back with it the corrections that reversed it.
 */
export function changePayments({ donation, payments, record, takeBack, context }: PaymentChange): PaymentsAfter {
  const taken = new Set(takeBack)
  const isTaken = (one: PaymentRow) => taken.has(one.id) || (one.reverses !== null && taken.has(one.reverses))
  const takenBack = payments.filter(isTaken)
  const rows = new Map(payments.filter(one => !isTaken(one)).map(one => [one.id, { ...one }]))
  const inserted: PaymentRow[] = []
  for (const one of takenBack) {
    const reversed = one.reverses === null ? undefined : rows.get(one.reverses)
    if (reversed !== undefined) reversed.returnedCents += one.amountCents
  }
  const insertRow = (arrival: Arrival, amountCents: number, reverses: string | null) => {
    const row: PaymentRow = {
      campaignId: donation.campaignId,
      donationId: donation.id,
      id: newUuidV7(context.now.getTime()),
      amountCents,
      receivedOn: arrival.receivedOn,
      source: arrival.source,
      reverses,
      returnedCents: 0,
      certifiedCents: 0,
      receiptId: null,
      statementId: arrival.entry?.statementId ?? null,
      entryId: arrival.entry?.id ?? null,
      collectionId: arrival.collectionId ?? null,
      isAssumed: false,
      donationVersion: context.donationVersion,
      statusBefore: context.statusBefore,
      createdAt: context.now.toISOString(),
      actor: context.actor
    }
    inserted.push(row)
    rows.set(row.id, row)
  }
  const contested = new Set<string>()
  for (const arrival of record) {
    if (arrival.amountCents > 0) {
      insertRow(arrival, arrival.amountCents, null)
      continue
    }
    let left = -arrival.amountCents
    for (const payment of sortNewestFirst([...rows.values()])) {
      const cents = Math.min(left, getNetCents(payment))
      if (cents <= 0) continue
      payment.returnedCents += cents
      if (payment.receiptId !== null && payment.certifiedCents > getNetCents(payment)) {
        contested.add(payment.receiptId)
        payment.certifiedCents = getNetCents(payment)
        if (payment.certifiedCents === 0) payment.receiptId = null
      }
      insertRow(arrival, -cents, payment.id)
      left -= cents
    }
    if (left > 0) throw new MoreThanReceived(-arrival.amountCents - left)
  }
  const before = new Map(payments.map(one => [one.id, one]))
  const after = [...rows.values()]
  const days = after.filter(one => getNetCents(one) > 0).map(one => one.receivedOn)
  return {
    inserted,
    takenBack,
    updated: after.filter(one => {
      const old = before.get(one.id)
      return old !== undefined && (old.returnedCents !== one.returnedCents || old.certifiedCents !== one.certifiedCents)
    }),
    receivedCents: after.reduce((sum, one) => sum + one.amountCents, 0),
    receivedOn: days.sort().at(-1) ?? null,
    contestedReceipts: [...contested]
  }
}

/** What of a payment has arrived and stayed; nothing for money that went back. */
export function getNetCents({ amountCents, returnedCents }: Pick<PaymentRow, 'amountCents' | 'returnedCents'>): number {
  return Math.max(0, amountCents - returnedCents)
}

function sortNewestFirst(payments: PaymentRow[]): PaymentRow[] {
  return payments
    .filter(one => getNetCents(one) > 0)
    .sort((one, other) =>
      one.receivedOn === other.receivedOn
        ? other.donationVersion - one.donationVersion
        : one.receivedOn < other.receivedOn
          ? 1
          : -1
    )
}
