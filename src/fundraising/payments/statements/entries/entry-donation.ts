import type { Database } from '#platform/database/database.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import * as campaigns from '../../../campaigns/queries.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import { toAccountColumns, toAddressColumns } from '../../../donations/donation-row.ts'
import { decryptIban } from '../../../encryption/iban-encryption.ts'
import { newAccount } from '../../../money/account.ts'
import { newAddress } from '../../../money/address.ts'
import {
  newAmountForOneEntryProblem,
  newEntryCampaignDraftProblem,
  newEntryCampaignMissingProblem,
  newEntryCampaignNotFoundProblem,
  newEntryDonationAmountProblem,
  newEntryDonationCurrencyProblem,
  newEntryDonorNameMissingProblem,
  newEntryNotAssignableProblem,
  newEntryNotOpenProblem,
  newEntryOutgoingProblem,
  newPayerHasNoIbanProblem
} from '../../../problems/statements.ts'
import { rememberPayer } from '../../payer-rules/payer-rule.ts'
import { setUsed } from '../../payer-rules/queries.ts'
import type { EntryDonation } from '../entry-donation-schema.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import * as statements from '../queries.ts'
import { type DecisionContext, type EntryKey, recordEntryChange } from './entry.ts'
import { type EntryDonor, insertEntryDonation } from './insert-entry-donation.ts'
import { lockPayerEntries } from './payer-entries.ts'
import { findEarlierDonation } from './payer-queries.ts'
import { canBecomeDonation, getPayerFingerprints, listSuggestedCampaigns } from './suggested-campaign.ts'

/** A donation created from an entry. */
export interface CreatedEntryDonation {
  donation: DonationRow
  entry: EntryRow
}

/** Creates a donation from an unmatched incoming entry, or from each of its payer, and books the entries for them. */
export async function createEntryDonations(
  db: Database,
  deciding: DecisionContext,
  one: EntryKey,
  { input, expected }: { input: EntryDonation; expected: IfMatch }
): Promise<CreatedEntryDonation[]> {
  const { allOfPayer: isAll = false, remember: isRemembered = false } = input
  if (isAll && input.amount !== undefined) throw newAmountForOneEntryProblem()
  return await db.transaction(async tx => {
    const { entry, others } = await lockPayerEntries(tx, deciding, one, { expected, isAll })
    refuseUnlessOpen(entry)
    const campaign = await getCampaign(tx, deciding, entry, input)
    const donor = await getDonor(tx, deciding, entry, input)
    const wanted = [entry, ...others.filter(({ currency }) => currency === campaign.currency)]
    const made: CreatedEntryDonation[] = []
    for (const payment of wanted) {
      const amountCents = getAmountCents(payment, campaign.currency, input)
      const donation = await insertEntryDonation(tx, deciding, payment, { donor, campaignId: campaign.id, amountCents })
      made.push({ donation, entry: await bookEntry(tx, deciding, payment, donation) })
    }
    for (const id of new Set(wanted.map(({ statementId }) => statementId))) await statements.recount(tx, id)
    if (campaign.ruleId !== null) await setUsed(tx, [campaign.ruleId], deciding.now)
    if (isRemembered) {
      if (entry.encryptedIban === null) throw newPayerHasNoIbanProblem('/remember')
      const payer = { iban: decryptIban(deciding.settings, entry.encryptedIban), name: entry.counterpartName }
      await rememberPayer(tx, deciding, payer, { action: 'campaign', campaignId: campaign.id, note: null })
    }
    return made
  })
}

function refuseUnlessOpen(entry: EntryRow): void {
  if (entry.result === 'known' || entry.isPending || entry.amountCents === 0)
    throw newEntryNotAssignableProblem(entry.result)
  if (entry.direction === 'out') throw newEntryOutgoingProblem()
  if (!canBecomeDonation(entry)) throw newEntryNotOpenProblem(entry.result)
}

/**
 * The requested campaign, or the one that the text or a rule names. It can be closed, because the money has arrived; a
 * draft accepts none.
 */
async function getCampaign(
  tx: Database,
  { settings }: DecisionContext,
  entry: EntryRow,
  { campaignId }: EntryDonation
): Promise<{ id: number; currency: string; ruleId: string | null }> {
  const suggested = (await listSuggestedCampaigns(tx, settings, [entry])).get(entry.id)
  const known = suggested?.by === 'earlier' ? undefined : suggested
  const id = campaignId ?? known?.id
  if (id === undefined) throw newEntryCampaignMissingProblem()
  const terms = await campaigns.findTerms(tx, id)
  if (terms === undefined) throw newEntryCampaignNotFoundProblem(id)
  if (terms.status === 'draft') throw newEntryCampaignDraftProblem()
  return { id, currency: terms.currency, ruleId: known?.id === id ? known.ruleId : null }
}

function getAmountCents(entry: EntryRow, currency: string, { amount }: EntryDonation): number {
  if (entry.currency !== currency) {
    if (amount === undefined) throw newEntryDonationCurrencyProblem(entry.currency, currency)
    return amount
  }
  if (amount !== undefined && amount !== entry.amountCents) throw newEntryDonationAmountProblem(entry.amountCents)
  return entry.amountCents
}

const nameMax = 140
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** The donor: from the request, else from an earlier donation of the same account and name, else from the bank. */
async function getDonor(
  tx: Database,
  { settings }: DecisionContext,
  entry: EntryRow,
  input: EntryDonation
): Promise<EntryDonor> {
  const name = input.donorName ?? [...(entry.counterpartName ?? '')].slice(0, nameMax).join('').trim()
  if (name === '') throw newEntryDonorNameMissingProblem()
  const fingerprints = getPayerFingerprints(settings, entry)
  const earlier = fingerprints.length === 0 ? undefined : await findEarlierDonation(tx, fingerprints, name)
  const donorName = input.donorName ?? earlier?.donorName ?? name
  const iban = entry.encryptedIban === null ? undefined : decryptIban(settings, entry.encryptedIban)
  const account = iban !== undefined && ibanForm.test(iban) ? newAccount({ iban }, donorName) : undefined
  const { street = null, postalCode = null, city = null, country = null } = earlier ?? {}
  return {
    donorName,
    receiptRequested: input.receiptRequested ?? earlier?.receiptRequested ?? false,
    showName: input.showName ?? false,
    email: input.email === undefined ? (earlier?.email ?? null) : input.email || null,
    language: input.language ?? earlier?.language ?? null,
    ...(input.address === undefined
      ? { street, postalCode, city, country }
      : toAddressColumns(input.address && newAddress(input.address))),
    ...toAccountColumns(settings, account)
  }
}

async function bookEntry(
  tx: Database,
  deciding: DecisionContext,
  entry: EntryRow,
  { campaignId, id }: DonationRow
): Promise<EntryRow> {
  const after = await entries.updateEntry(tx, {
    ...entry,
    result: 'booked',
    reason: null,
    campaignId,
    donationId: id,
    matchedBy: 'manual',
    statusBefore: null,
    collectionId: null,
    ruleId: null
  })
  await recordEntryChange(tx, deciding, entry, after)
  return after
}
