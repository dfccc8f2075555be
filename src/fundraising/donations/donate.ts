import { insertRecord, markSample, newRecord } from '#platform/activity/activity.ts'
import { type Actor, type Caller, hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Change, Database } from '#platform/database/database.ts'
import { buildQueuedEmails, newDueEmail } from '#platform/email/outbox.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { rejectHoneypot } from '#platform/proof-of-work/problems.ts'
import type { DonationTerms } from '../campaigns/queries.ts'
import { toLocalDay } from '../dates.ts'
import { newDonorToken, toTokenColumns } from '../encryption/donor-token.ts'
import { type Account, newAccount } from '../money/account.ts'
import { newAddress } from '../money/address.ts'
import { newReference } from '../money/reference.ts'
import * as news from '../news/queries.ts'
import {
  newCampaignClosedProblem,
  newCampaignDraftProblem,
  newCampaignEndedProblem,
  newCampaignNotFoundProblem,
  newCampaignNotStartedProblem
} from '../problems/campaigns.ts'
import { newDonationTooSmallProblem, newStatusNeedsTreasurerProblem } from '../problems/donations.ts'
import { newReceivedInFutureProblem } from '../problems/payments.ts'
import { newNewsWithoutEmailProblem } from '../problems/updates.ts'
import {
  consumeProof,
  isReviewRequired,
  isTextReviewRequired,
  listAccountProblems,
  newAccountRateLimit,
  verifyProofOfWork
} from './abuse-protection/abuse-protection.ts'
import type { AccountRateLimit } from './abuse-protection/queries.ts'
import { refusePaymentFields } from './donation.ts'
import { findDonationEmail, formatDonationKey } from './donation-emails.ts'
import type { DonationRow } from './donation-row.ts'
import { toAccountColumns, toAddressColumns, toDonorTextColumns } from './donation-row.ts'
import * as donations from './insert-queries.ts'
import { newKind } from './kind.ts'
import { findNewDonationTerms } from './new-donation-terms.ts'
import { type Arrival, changePayments } from './payments/payment.ts'
import * as payments from './payments/queries.ts'
import type { DonationStatus, NewDonation } from './schema.ts'
import { getTotalsContribution, toRecordedDonation } from './status-change.ts'

/** A new donation with its token, which only the donor gets. */
export type CreatedDonation = DonationRow & { donorToken: string }

/** The donation that a mandate is signed for, as far as it is known before the insert. */
export interface DonationToCollect {
  campaignId: number
  id: string
  reference: string
  status: DonationStatus
  account: Account | undefined
  campaign: { currency: string; iban: string; ibanValid: boolean }
}

/** Validates the mandate of a new donation and returns the function that stores it. */
export type SignMandate = (
  tx: Database,
  by: Caller,
  donation: DonationToCollect,
  signed: { text: string; settings: Settings; now: Date }
) => Promise<() => Promise<void>>

interface DonateOptions extends Actor {
  settings: Settings
  /** Required if donors can choose direct debit. */
  signMandate?: SignMandate
  /** Donations per hour from one account; 0 disables the limit. */
  perAccount?: number
  reference?: (campaignId: number) => string
}

/** Inserts a donation into an open campaign. */
export async function donate(
  db: Database,
  { by, settings, perAccount = 0, now = new Date(), reference = newReference, signMandate }: DonateOptions,
  campaignId: number,
  input: NewDonation
): Promise<CreatedDonation> {
  const status = input.status ?? 'IN_PROCESS'
  if (status === 'TRANSFERRED' && !hasRole(by, 'treasurer')) throw newStatusNeedsTreasurerProblem()
  const kind = newKind(by, status, input)
  rejectHoneypot('website', input.website)
  if (input.news != null && !input.email) throw newNewsWithoutEmailProblem()
  const given = input.account == null ? undefined : newAccount(input.account, input.donorName)
  const account = toAccountColumns(settings, given)
  const counted = newAccountRateLimit(account.ibanFingerprint, perAccount, now)

  // Outside the transaction to keep it short: the campaign is not locked, so reading inside would guarantee no more.
  const terms = await findNewDonationTerms(db, campaignId)
  if (terms === undefined) throw newCampaignNotFoundProblem(campaignId)
  refuseUnlessOpen(terms, now)
  if (input.amount < terms.donationMinimumCents)
    throw newDonationTooSmallProblem(terms.donationMinimumCents, terms.currency)
  const arrival = getFirstArrival(input, settings.timezone, now)
  const proof = await verifyProofOfWork(input.proofOfWork, terms, { settings, by, now })
  const isWaiting = isReviewRequired(by, input.amount, terms)

  /** Built anew for each attempt, because the reference can be taken. */
  const build = (): BuiltDonation => {
    const donation: DonationRow = {
      campaignId,
      id: newUuidV7(now.getTime()),
      version: 1,
      amountCents: input.amount,
      receivedCents: arrival?.amountCents ?? 0,
      receivedOn: arrival?.receivedOn ?? null,
      donorName: input.donorName,
      receiptRequested: input.receiptRequested ?? false,
      showName: input.showName ?? false,
      ...toDonorTextColumns(input),
      email: input.email || null,
      status,
      reference: reference(campaignId),
      ...account,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      language: input.language ?? null,
      ...toAddressColumns(input.address && newAddress(input.address)),
      consentText: input.consent?.text ?? null,
      consentVersion: input.consent?.version || null,
      consentAt: input.consent ? now.toISOString() : null,
      erasedAt: null,
      review: isWaiting ? 'waiting' : null,
      messageReview: isTextReviewRequired(by, input, terms) ? 'waiting' : 'shown',
      paymentMethod: input.mandate == null ? 'transfer' : 'direct_debit',
      ...kind
    }
    const donorToken = newDonorToken()
    const action = isWaiting ? 'donation.held' : 'donation.created'
    const { activity, change } = newRecord({ by, now }, action, toRecordedDonation(donation))
    const newEmail = isWaiting
      ? { kind: 'donation-awaiting-review', about: formatDonationKey(donation) }
      : findDonationEmail(donation)
    return {
      // With the IBAN as given, so that the response does not decrypt what was just encrypted.
      created: { ...donation, donorToken, encryptedIban: null, plaintextIban: given?.iban ?? null },
      change,
      hasWebhooks: terms.hasWebhooks,
      rows: {
        donation: { ...donation, ...toTokenColumns(settings, donorToken) },
        share: getTotalsContribution(donation),
        actor: by.name,
        activity,
        email: newEmail && newDueEmail(settings, newEmail, now)
      }
    }
  }
  const isAlone = [arrival, proof, input.mandate ?? undefined, input.news ?? undefined].some(part => part !== undefined)
  if (!isAlone && !terms.isDistributed && by.makesSamples !== true) {
    const inserted = await db.writeTogether(insertTogether, { build, counted, now })
    if (inserted instanceof Error) throw inserted
    return inserted
  }

  return await db.transaction(async tx => {
    const [problem] = await listAccountProblems(tx, [{ counted, now }])
    if (problem !== undefined) throw problem
    const built = build()
    const { created: donation } = built
    if (input.mandate != null && signMandate === undefined) throw new Error('Mandates are not supported on this path.')
    const insertMandate =
      input.mandate == null
        ? undefined
        : await signMandate?.(
            tx,
            by,
            { ...donation, account: given, campaign: terms },
            { ...input.mandate, settings, now }
          )
    // Sent together, because these statements do not depend on each other.
    await Promise.all([
      terms.isDistributed ? insertDistributed(tx, built) : insertBuilt(tx, [{ build: () => built }]),
      arrival && insertFirstPayment(tx, { by, now }, donation, arrival),
      consumeProof(tx, proof),
      insertMandate?.(),
      input.news == null
        ? undefined
        : news.insert(tx, donation, { ...input.news, ...toTokenColumns(settings, newDonorToken()) }, now),
      markSample(tx, by, built.change)
    ])
    return donation
  })
}

interface BuiltDonation {
  created: CreatedDonation
  change: Change
  rows: donations.RecordedDonationRow
  /** Some webhook is on. */
  hasWebhooks: boolean
}

interface DonationToInsert {
  build: () => BuiltDonation
  counted: AccountRateLimit | undefined
  now: Date
}

/** Inserts donations that arrive at the same time; returns a problem for each that is one too many from its account. */
async function insertTogether(db: Database, all: DonationToInsert[]): Promise<(CreatedDonation | Error)[]> {
  if (all.every(({ counted }) => counted === undefined)) {
    return await db.oneStatement(async tx => await insertBuilt(tx, all))
  }
  return await db.transaction(async tx => {
    const problems = await listAccountProblems(tx, all)
    const accepted = all.filter((_, index) => problems[index] === undefined)
    const inserted = (accepted.length === 0 ? [] : await insertBuilt(tx, accepted)).values()
    return all.map((_, index) => problems[index] ?? (inserted.next().value as CreatedDonation))
  })
}

async function insertBuilt(tx: Database, all: Pick<DonationToInsert, 'build'>[]): Promise<CreatedDonation[]> {
  const built = all.map(({ build }) => build())
  await donations.insertAll(
    tx,
    built.map(({ rows }) => rows),
    built.some(({ hasWebhooks }) => hasWebhooks)
  )
  for (const { change } of built) tx.addChange(change)
  return built.map(({ created }) => created)
}

/** Citus cannot plan one statement over its workers and the coordinator. */
async function insertDistributed(tx: Database, { rows, change }: BuiltDonation): Promise<void> {
  await Promise.all([
    donations.insert(tx, rows),
    insertRecord(tx, rows.activity),
    rows.email && tx.run(buildQueuedEmails([rows.email]))
  ])
  tx.addChange(change)
}

/** The payment that a treasurer records together with the donation; undefined for a promise. */
function getFirstArrival(input: NewDonation, timezone: string, now: Date): Arrival | undefined {
  const { status, amount, paymentSource } = input
  // Clients send back 0 and null from a promise they read; these count as omitted.
  const amountReceived = input.amountReceived === 0 ? undefined : input.amountReceived
  const receivedOn = input.receivedOn ?? undefined
  if (status !== 'TRANSFERRED') {
    refusePaymentFields({ amountReceived, receivedOn, paymentSource }, status ?? 'IN_PROCESS')
    return undefined
  }
  // Not for promises: formatting a day takes longer than all other checks.
  const today = toLocalDay(now, timezone)
  if (receivedOn !== undefined && receivedOn > today) throw newReceivedInFutureProblem(today)
  const isCash = input.account == null && (input.kind ?? 'money') === 'money'
  const source = paymentSource ?? (isCash ? 'cash' : 'manual')
  return { amountCents: amountReceived ?? amount, receivedOn: receivedOn ?? today, source }
}

async function insertFirstPayment(
  tx: Database,
  { by, now }: Required<Actor>,
  donation: DonationRow,
  arrival: Arrival
): Promise<void> {
  const context = { actor: by.name, now, donationVersion: donation.version, statusBefore: 'IN_PROCESS' }
  const { inserted } = changePayments({ donation, payments: [], record: [arrival], takeBack: [], context })
  await payments.insert(tx, inserted)
}

function refuseUnlessOpen(campaign: DonationTerms, now: Date): void {
  if (campaign.status === 'draft') throw newCampaignDraftProblem()
  if (campaign.status === 'closed') throw newCampaignClosedProblem()
  const moment = now.toISOString()
  if (campaign.startsAt !== null && moment < campaign.startsAt) throw newCampaignNotStartedProblem(campaign.startsAt)
  if (campaign.endsAt !== null && moment >= campaign.endsAt) throw newCampaignEndedProblem(campaign.endsAt)
}
