import type { Database } from '#platform/database.ts'
import * as rules from '../payer-rules/queries.ts'
import { type Keys, printsOf } from '../vault.ts'
import type { Decision } from './matching/matching.ts'
import type { Entry } from './reading/entry.ts'

/** Ignores what comes from payers of whom a treasurer said so, unless a donation fits. */
export async function applyRules(
  tx: Database,
  settings: Keys,
  entries: Entry[],
  { decisions, now }: { decisions: Decision[]; now: Date }
): Promise<void> {
  const open = entries.flatMap((entry, index) => {
    const decision = decisions[index]
    if (decision?.result !== 'unmatched' || entry.direction !== 'in' || entry.counterpartIban === null) return []
    return [{ decision, prints: printsOf(settings, entry.counterpartIban) }]
  })
  const found = await rules.listByPrints(
    tx,
    open.flatMap(({ prints }) => prints)
  )
  const used = new Set<string>()
  for (const { decision, prints } of open) {
    const rule = found.find(({ ibanPrint }) => ibanPrint !== null && prints.some(print => print.equals(ibanPrint)))
    if (rule?.action !== 'ignore') continue
    used.add(rule.id)
    decision.result = 'ignored'
    decision.reason = 'by-rule'
    decision.ruleId = rule.id
  }
  await rules.setUsed(tx, [...used], now)
}
