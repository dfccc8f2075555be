import type { Database } from '#platform/database/database.ts'
import { type EncryptionKeys, listIbanFingerprints } from '../../../encryption/iban-encryption.ts'
import * as rules from '../../payer-rules/queries.ts'
import type { Decision } from '../matching/matching.ts'
import type { Entry } from '../parsers/parsed-entry.ts'

/** Ignores payments of payers with an ignore rule, unless a donation matches. */
export async function applyPayerRules(
  tx: Database,
  settings: EncryptionKeys,
  entries: Entry[],
  { decisions, now }: { decisions: Decision[]; now: Date }
): Promise<void> {
  const open = entries.flatMap((entry, index) => {
    const decision = decisions[index]
    if (decision?.result !== 'unmatched' || entry.direction !== 'in' || entry.counterpartIban === null) return []
    return [{ decision, fingerprints: listIbanFingerprints(settings, entry.counterpartIban) }]
  })
  const found = await rules.listByFingerprints(
    tx,
    open.flatMap(({ fingerprints }) => fingerprints)
  )
  const used = new Set<string>()
  for (const { decision, fingerprints } of open) {
    const rule = found.find(
      ({ ibanFingerprint }) =>
        ibanFingerprint !== null && fingerprints.some(fingerprint => fingerprint.equals(ibanFingerprint))
    )
    if (rule?.action !== 'ignore') continue
    used.add(rule.id)
    decision.result = 'ignored'
    decision.reason = 'by-rule'
    decision.ruleId = rule.id
  }
  await rules.setUsed(tx, [...used], now)
}
