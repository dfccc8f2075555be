import { buildContentEtag } from '#platform/http/etag.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { decryptIban, type EncryptionKeys } from '../../../encryption/iban-encryption.ts'
import { toAmount } from '../../../money/money.ts'
import type { EntryRow } from '../entry-queries.ts'
import { isReason } from '../matching/reasons.ts'
import type { MatchedDonation, StatementRow } from '../queries.ts'
import { type EntryResult, entryResults, type MatchedBy, type Statement, type StatementEntry } from '../schema.ts'
import type { EntryContext } from './payer-queries.ts'

export function toStatementJson(row: StatementRow): Statement {
  const counts = mapResults(row.counts)
  return {
    id: row.id,
    format: row.format,
    fileName: row.fileName,
    importedAt: row.importedAt,
    importedBy: row.importedBy,
    complete: row.finishedAt !== null,
    from: row.firstDay,
    to: row.lastDay,
    currency: row.currency,
    counts: { entries: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts },
    amounts: mapResults(row.amounts, toAmount)
  }
}

function mapResults(
  given: Partial<Record<EntryResult, number>>,
  shown: (number: number) => number = number => number
): Record<EntryResult, number> {
  return Object.fromEntries(entryResults.map(result => [result, shown(given[result] ?? 0)])) as Record<
    EntryResult,
    number
  >
}

/** Covers the content, because the donations shown with an entry change without a new version of the entry. */
export function buildEntryEtag(entry: StatementEntry): string {
  return buildContentEtag(JSON.stringify(entry), entry.version)
}

/** Statements are never edited, so they have no versions; the ETag covers their content. */
export const onlyVersion = 1

export function buildStatementEtag(statement: Statement): string {
  return buildContentEtag(JSON.stringify(statement), onlyVersion)
}

export function toEntryJson(
  row: EntryRow,
  context: EntryContext,
  settings: EncryptionKeys,
  language: Language
): StatementEntry {
  const { donations, payments } = context
  const suggested = context.campaigns.get(row.id)
  const shown = (one: { campaignId: number; id: string; by: MatchedBy }, shareCents: number | null = null) => {
    const donation = donations.get(`${one.campaignId} ${one.id}`)
    return donation === undefined ? [] : [toMatchJson(row, donation, one.by, shareCents)]
  }
  const { campaignId, donationId, matchedBy } = row
  const by = matchedBy ?? 'manual'
  const shares = new Map<string, { campaignId: number; id: string; cents: number }>()
  if (campaignId !== null && donationId !== null) shares.set(donationId, { campaignId, id: donationId, cents: 0 })
  for (const payment of payments.filter(one => one.statementId === row.statementId && one.entryId === row.id)) {
    const before = shares.get(payment.donationId)?.cents ?? 0
    const cents = before + Math.abs(payment.amountCents)
    shares.set(payment.donationId, { campaignId: payment.campaignId, id: payment.donationId, cents })
  }
  const matches = [...shares.values()].flatMap(({ cents, ...one }) => shown({ ...one, by }, cents))
  const match = matches[0] ?? null
  return {
    id: row.id,
    statementId: row.statementId,
    position: row.position,
    version: row.version,
    bookedOn: row.bookedOn,
    valueOn: row.valueOn,
    amount: toAmount(row.amountCents),
    currency: row.currency,
    direction: row.direction,
    isReturn: row.isReturn,
    account: row.account,
    counterpart: {
      name: row.counterpartName,
      iban: row.encryptedIban === null ? null : decryptIban(settings, row.encryptedIban),
      bic: row.counterpartBic
    },
    text: row.text,
    endToEndId: row.endToEndId,
    mandateReference: row.mandateReference,
    paymentInformationId: row.paymentInformationId,
    result: row.result,
    reason: getReason(row, context, language),
    match,
    matches,
    suggestions: match === null ? row.suggestions.flatMap(one => shown(one)) : [],
    firstSeen: row.firstSeen,
    suggestedCampaignId: suggested?.id ?? null,
    suggestedCampaignName: suggested?.name ?? null,
    suggestedCampaignBy: suggested?.by ?? null,
    openOfPayer: context.openOfPayer.get(row.id) ?? 0,
    ruleId: row.ruleId,
    collection: toCollectionJson(row, context)
  }
}

function toMatchJson(
  entry: EntryRow,
  donation: MatchedDonation,
  by: MatchedBy,
  shareCents: number | null
): NonNullable<StatementEntry['match']> {
  // After booking: the total received minus the promise. Before: this entry minus the awaited amount.
  const differenceCents =
    shareCents === null
      ? entry.amountCents - Math.max(0, donation.amountCents - donation.receivedCents)
      : donation.receivedCents - donation.amountCents
  return {
    campaignId: donation.campaignId,
    campaignName: donation.campaignName,
    donationId: donation.id,
    reference: donation.reference,
    donorName: donation.donorName,
    donationAmount: toAmount(donation.amountCents),
    currency: donation.currency,
    status: donation.status,
    difference: donation.currency === entry.currency ? toAmount(differenceCents) : null,
    received: toAmount(donation.receivedCents),
    share: shareCents === null ? null : toAmount(shareCents),
    by
  }
}

function toCollectionJson(row: EntryRow, { collections }: EntryContext): StatementEntry['collection'] {
  const collection = row.collectionId === null ? undefined : collections.get(row.collectionId)
  if (collection === undefined) return null
  const { id, status, collectOn, blocks, amountCents } = collection
  const block = blocks.find(({ account }) => account === row.account)
  return { id, status, collectOn, amount: toAmount(block?.amountCents ?? amountCents) }
}

function getReason(
  { reason, reasonText, ruleId }: EntryRow,
  { rules }: EntryContext,
  language: Language
): StatementEntry['reason'] {
  if (reason === null) return null
  const rule = ruleId === null ? undefined : rules.get(ruleId)
  if (reason === 'by-rule' && rule?.payerName != null) {
    const name = rule.note === null ? rule.payerName : `${rule.payerName} (${rule.note})`
    return { code: reason, message: getMessages('matching-reasons', language).byRule({ name }) }
  }
  if (isReason(reason)) return { code: reason, message: getMessages('matching-reasons', language)[reason] }
  return { code: reason, message: (reasonText && pickByLanguage(reasonText, language)) ?? reason }
}
