import { isValidIban } from '../money/iban.ts'
import type { AccountRequestRow } from './queries.ts'
import type { AccountRequest } from './schema.ts'

export function toRequestJson(
  row: AccountRequestRow,
  { isOwn, canConfirm }: Pick<AccountRequest, 'isOwn' | 'canConfirm'>
): AccountRequest {
  const { iban } = row
  return {
    id: row.id,
    change: row.change,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    account:
      iban === null ? null : { iban, name: row.accountName, nameOfBank: row.bankName, ibanValid: isValidIban(iban) },
    ibanBefore: row.ibanBefore,
    askedBy: row.askedBy,
    askedAt: row.createdAt,
    expiresAt: row.expiresAt,
    isOwn,
    canConfirm
  }
}
