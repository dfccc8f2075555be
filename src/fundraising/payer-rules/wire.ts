import { type Keys, openIban } from '../vault.ts'
import type { PayerRuleRow } from './queries.ts'
import type { PayerRule } from './schema.ts'

export function toRuleJson(row: PayerRuleRow, settings: Keys): PayerRule {
  return {
    id: row.id,
    payerName: row.payerName,
    iban: row.sealedIban === null ? null : openIban(settings, row.sealedIban),
    action: row.action,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    note: row.note,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    lastUsedAt: row.lastUsedAt
  }
}
