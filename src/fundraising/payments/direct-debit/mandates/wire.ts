import { toAmount } from '../../../money/money.ts'
import type { MandateRow } from './queries.ts'
import type { Mandate, MandateStatus } from './schema.ts'

export function toWire(row: MandateRow): Mandate {
  return {
    reference: row.reference,
    status: getMandateStatus(row),
    campaignId: row.campaignId,
    donationId: row.donationId,
    donorName: row.donorName,
    amount: toAmount(row.amountCents),
    donationStatus: row.donationStatus,
    creditorId: row.creditorId,
    sequenceType: row.sequenceType,
    text: row.text,
    language: row.language,
    signedAt: row.signedAt,
    requestId: row.requestId,
    revokedAt: row.revokedAt,
    collection:
      row.collectionId === null || row.collectionStatus === null || row.collectOn === null
        ? null
        : { id: row.collectionId, status: row.collectionStatus, collectOn: row.collectOn }
  }
}

export function getMandateStatus({ revokedAt }: MandateRow): MandateStatus {
  return revokedAt === null ? 'active' : 'revoked'
}
