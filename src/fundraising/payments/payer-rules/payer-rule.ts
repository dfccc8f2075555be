import { record } from '#platform/activity/activity.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import * as campaigns from '../../campaigns/queries.ts'
import {
  decryptIban,
  type EncryptionKeys,
  encryptIban,
  getIbanFingerprint,
  listIbanFingerprints
} from '../../encryption/iban-encryption.ts'
import {
  newEntryCampaignNotFoundProblem,
  newPayerHasNoIbanProblem,
  newPayerMissingProblem,
  newPayerRuleNotFoundProblem,
  newRuleCampaignMissingProblem,
  newRuleCampaignNotExpectedProblem
} from '../../problems/statements.ts'
import type { PayerRuleRow } from './queries.ts'
import * as rules from './queries.ts'
import type { NewPayerRule, RuleAction } from './schema.ts'

interface RuleContext {
  by: Caller
  settings: EncryptionKeys
  now: Date
}

/** A payer, identified by their IBAN. */
export interface Payer {
  iban: string
  name: string | null
}

interface Rule {
  action: RuleAction
  campaignId: number | null
  note: string | null
}

/** Stores a rule for an account, replacing an existing one. */
export async function createRule(db: Database, making: RuleContext, input: NewPayerRule): Promise<PayerRuleRow> {
  const { action, campaignId = null, note = null } = input
  if (action === 'campaign' && campaignId === null) throw newRuleCampaignMissingProblem()
  if (action === 'ignore' && campaignId !== null) throw newRuleCampaignNotExpectedProblem()
  return await db.transaction(async tx => {
    const payer = await getPayer(tx, making.settings, input)
    if (campaignId !== null && (await campaigns.findTerms(tx, campaignId)) === undefined) {
      throw newEntryCampaignNotFoundProblem(campaignId)
    }
    return await rememberPayer(tx, making, payer, { action, campaignId, note: note || null })
  })
}

async function getPayer(
  tx: Database,
  settings: EncryptionKeys,
  { entry, iban, payerName }: NewPayerRule
): Promise<Payer> {
  if ((entry === undefined) === (iban === undefined)) throw newPayerMissingProblem()
  if (entry === undefined) return { iban: iban ?? '', name: payerName ?? null }
  const payer = await rules.findPayer(tx, entry)
  if (payer === undefined || payer.encryptedIban === null) throw newPayerHasNoIbanProblem('/entry')
  return { iban: decryptIban(settings, payer.encryptedIban), name: payerName ?? payer.name }
}

/** The same within the transaction of a decision about an entry. */
export async function rememberPayer(
  tx: Database,
  { by, settings, now }: RuleContext,
  { iban, name }: Payer,
  { action, campaignId, note }: Rule
): Promise<PayerRuleRow> {
  const fingerprint = getIbanFingerprint(settings, iban)
  await rules.removeByFingerprints(
    tx,
    listIbanFingerprints(settings, iban).filter(one => !one.equals(fingerprint))
  )
  const encryptedIban = encryptIban(settings, iban)
  const made = await rules.insertOrReplace(
    tx,
    {
      id: newUuidV7(now.getTime()),
      payerName: name,
      encryptedIban: encryptedIban,
      ibanFingerprint: fingerprint,
      action,
      campaignId,
      note,
      createdBy: by.name
    },
    now
  )
  await recordRule(tx, { by, now }, 'payer_rule.created', made)
  return made
}

export async function deleteRule(db: Database, by: Caller, id: string, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const removed = await rules.remove(tx, id)
    if (removed === undefined) throw newPayerRuleNotFoundProblem()
    await recordRule(tx, { by, now }, 'payer_rule.deleted', removed)
  })
}

/** Leaves out the payer's name and account. */
async function recordRule(
  tx: Database,
  { by, now }: Required<Actor>,
  happened: string,
  { id, action, campaignId }: PayerRuleRow
): Promise<void> {
  const details = { action, ...(campaignId === null ? {} : { campaignId }) }
  await record(tx, { by, now }, happened, { subject: 'payer_rule', id, details })
}
