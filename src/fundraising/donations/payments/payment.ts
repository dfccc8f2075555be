import { newUuidV7 } from '#platform/ids.ts'
import type { DonationKey } from '../../campaigns/by-campaign.ts'
import type { PaymentRow } from './queries.ts'
import type { PaymentSource } from './schema.ts'

/** Money that arrived, or was returned if negative. */
export interface Arrival {
  amountCents: number
  receivedOn: string
  source: PaymentSource
  entry?: { statementId: number; id: string } | undefined
  collectionId?: number | undefined
}

/** A change to the payments of one donation. */
export interface PaymentChange {
  donation: DonationKey
  /** The live payments before the change. */
  payments: PaymentRow[]
  record: Arrival[]
  /** Ids of payments recorded by mistake. */
  takeBack: string[]
  /** Actor and time of the change, with the donation's new version and its status before. */
  context: { actor: string; now: Date; donationVersion: number; statusBefore: string }
}

export interface PaymentsAfter {
  inserted: PaymentRow[]
  updated: PaymentRow[]
  takenBack: PaymentRow[]
  receivedCents: number
  /** The day of the newest payment that arrived. */
  receivedOn: string | null
  /** Receipts that certify returned money. */
  contestedReceipts: string[]
}

/** Thrown if more money would be returned than has arrived. */
export class MoreThanReceived extends Error {
  readonly receivedCents: number
  constructor(receivedCents: number) {
    super('More would go back than has arrived.')
    this.receivedCents = receivedCents
  }
}

/**
 * Computes the payments after recording and taking back. Returned money reverses the newest payments first; taking back
 * a payment also takes back the corrections that reversed it.
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

/** The part of a payment that arrived and was not returned; 0 for returns. */
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
