import { buildVersionEtag } from '#platform/http/etag.ts'
import { toAmount } from '../money/money.ts'
import type { ReceiptRow } from './queries.ts'
import type { Receipt, ReceiptOfDonor } from './schema.ts'

export function toWire(row: ReceiptRow): Receipt {
  const { content, amountCents, fileHash, withdrawnAt, withdrawnBy, withdrawnReason, erasedAt: _gone, ...plain } = row
  return {
    ...plain,
    needsWithdrawal: row.needsWithdrawal && row.state === 'issued',
    amount: toAmount(amountCents),
    donor: content.donor,
    period: content.period,
    donations: content.donations.map(({ amountCents: cents, ...one }) => ({ ...one, amount: toAmount(cents) })),
    sha256: fileHash.toString('hex'),
    replaces: content.replaces,
    withdrawn:
      withdrawnAt === null || withdrawnBy === null || withdrawnReason === null
        ? null
        : { at: withdrawnAt, by: withdrawnBy, reason: withdrawnReason }
  }
}

/** For the donor: valid receipts only. */
export function forOwner({ id, number, kind, issuedOn }: ReceiptRow): ReceiptOfDonor {
  return { id, number, kind, issuedOn }
}

/** For treasurers, with a donation: includes withdrawn receipts. */
export function forTreasurer(row: ReceiptRow): ReceiptOfDonor & Pick<ReceiptRow, 'state' | 'needsWithdrawal'> {
  const { state, needsWithdrawal } = row
  return { ...forOwner(row), state, needsWithdrawal: needsWithdrawal && state === 'issued' }
}

export function buildReceiptEtag(row: ReceiptRow): string {
  return buildVersionEtag(row.version, row.state)
}
