import type { IfMatch } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { newAccount } from '../account.ts'
import { newAddress } from '../address.ts'
import * as campaigns from '../campaigns/queries.ts'
import type { DonationRow } from '../donations/queries.ts'
import { accountColumns, addressColumns } from '../donations/queries.ts'
import { rememberPayer } from '../payer-rules/payer-rule.ts'
import { setUsed } from '../payer-rules/queries.ts'
import { entryCannotBeAssigned } from '../problems.ts'
import {
  amountIsOfOneEntry,
  campaignNeededForEntry,
  campaignOfEntryIsDraft,
  donationOnlyOfIncoming,
  donorNameNeededForEntry,
  entryDonationAmount,
  entryDonationCurrency,
  entryIsNotOpen,
  noSuchCampaignForEntry,
  payerHasNoIban
} from '../statement-problems.ts'
import { openIban } from '../vault.ts'
import { type Deciding, type OneEntry, recordChange } from './entry.ts'
import type { EntryRow } from './entry-queries.ts'
import * as entries from './entry-queries.ts'
import { type EntryDonor, insertEntryDonation } from './new-donation.ts'
import { lockPayments } from './payer.ts'
import { findEarlierDonation } from './payer-queries.ts'
import * as statements from './queries.ts'
import type { EntryDonation } from './schema.ts'
import { canBecomeDonation, getPrints, listSuggestedCampaigns } from './suggested-campaign.ts'

/** A donation that was made of an entry. */
export interface MadeOfEntry {
  donation: DonationRow
  entry: EntryRow
}

/** Makes a donation of an incoming entry that has none, or of all of its payer, and books the entries for them. */
export async function donateEntry(
  db: Database,
  deciding: Deciding,
  one: OneEntry,
  input: EntryDonation,
  expected: IfMatch
): Promise<MadeOfEntry[]> {
  const { allOfPayer: isAll = false, remember: isRemembered = false } = input
  if (isAll && input.amount !== undefined) throw amountIsOfOneEntry()
  return await db.transaction(async tx => {
    const { entry, others } = await lockPayments(tx, deciding, one, { expected, isAll })
    refuseUnlessOpen(entry)
    const campaign = await getCampaign(tx, deciding, entry, input)
    const donor = await getDonor(tx, deciding, entry, input)
    const wanted = [entry, ...others.filter(({ currency }) => currency === campaign.currency)]
    const made: MadeOfEntry[] = []
    for (const payment of wanted) {
      const amountCents = getAmountCents(payment, campaign.currency, input)
      const donation = await insertEntryDonation(tx, deciding, payment, donor, { campaignId: campaign.id, amountCents })
      made.push({ donation, entry: await bookEntry(tx, deciding, payment, donation) })
    }
    for (const id of new Set(wanted.map(({ statementId }) => statementId))) await statements.recount(tx, id)
    if (campaign.ruleId !== null) await setUsed(tx, [campaign.ruleId], deciding.now)
    if (isRemembered) {
      if (entry.sealedIban === null) throw payerHasNoIban('/remember')
      const payer = { iban: openIban(deciding.settings, entry.sealedIban), name: entry.counterpartName }
      await rememberPayer(tx, deciding, payer, { action: 'campaign', campaignId: campaign.id, note: null })
    }
    return made
  })
}

function refuseUnlessOpen(entry: EntryRow): void {
  if (entry.result === 'known' || entry.isPending || entry.amountCents === 0) throw entryCannotBeAssigned(entry.result)
  if (entry.direction === 'out') throw donationOnlyOfIncoming()
  if (!canBecomeDonation(entry)) throw entryIsNotOpen(entry.result)
}

/** The campaign that was chosen, or that the text or a rule names. It may be over, as the money has come; a draft takes none. */
async function getCampaign(
  tx: Database,
  { settings }: Deciding,
  entry: EntryRow,
  { campaignId }: EntryDonation
): Promise<{ id: number; currency: string; ruleId: string | null }> {
  const suggested = (await listSuggestedCampaigns(tx, settings, [entry])).get(entry.id)
  const known = suggested?.by === 'earlier' ? undefined : suggested
  const id = campaignId ?? known?.id
  if (id === undefined) throw campaignNeededForEntry()
  const terms = await campaigns.findTerms(tx, id)
  if (terms === undefined) throw noSuchCampaignForEntry(id)
  if (terms.status === 'draft') throw campaignOfEntryIsDraft()
  return { id, currency: terms.currency, ruleId: known?.id === id ? known.ruleId : null }
}

function getAmountCents(entry: EntryRow, currency: string, { amount }: EntryDonation): number {
  if (entry.currency !== currency) {
    if (amount === undefined) throw entryDonationCurrency(entry.currency, currency)
    return amount
  }
  if (amount !== undefined && amount !== entry.amountCents) throw entryDonationAmount(entry.amountCents)
  return entry.amountCents
}

const nameMax = 140
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Who paid: what is said now, else what an earlier donation from the same account by the same name says, else the bank. */
async function getDonor(
  tx: Database,
  { settings }: Deciding,
  entry: EntryRow,
  input: EntryDonation
): Promise<EntryDonor> {
  const name = input.donorName ?? [...(entry.counterpartName ?? '')].slice(0, nameMax).join('').trim()
  if (name === '') throw donorNameNeededForEntry()
  const prints = getPrints(settings, entry)
  const earlier = prints.length === 0 ? undefined : await findEarlierDonation(tx, prints, name)
  const donorName = input.donorName ?? earlier?.donorName ?? name
  const iban = entry.sealedIban === null ? undefined : openIban(settings, entry.sealedIban)
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
      : addressColumns(input.address && newAddress(input.address))),
    ...accountColumns(settings, account)
  }
}

async function bookEntry(
  tx: Database,
  deciding: Deciding,
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
  await recordChange(tx, deciding, entry, after)
  return after
}
