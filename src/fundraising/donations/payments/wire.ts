import { toAmount } from '../../money/money.ts'
import type { PaymentRow } from './queries.ts'
import type { Payment } from './schema.ts'

export function toPaymentJson(row: PaymentRow): Payment {
  return {
    id: row.id,
    amount: toAmount(row.amountCents),
    receivedOn: row.receivedOn,
    source: row.source,
    statementId: row.statementId,
    entryId: row.entryId,
    collectionId: row.collectionId,
    reverses: row.reverses,
    amountReturned: toAmount(row.returnedCents),
    receiptId: row.receiptId,
    isAssumed: row.isAssumed,
    recordedAt: row.createdAt,
    recordedBy: row.actor
  }
}
