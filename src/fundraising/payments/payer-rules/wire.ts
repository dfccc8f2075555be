import { decryptIban, type EncryptionKeys } from '../../encryption/iban-encryption.ts'
import type { PayerRuleRow } from './queries.ts'
import type { PayerRule } from './schema.ts'

export function toRuleJson(row: PayerRuleRow, settings: EncryptionKeys): PayerRule {
  return {
    id: row.id,
    payerName: row.payerName,
    iban: row.encryptedIban === null ? null : decryptIban(settings, row.encryptedIban),
    action: row.action,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    note: row.note,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    lastUsedAt: row.lastUsedAt
  }
}
