import type { Settings } from '#platform/config.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { toEncryptedIbanColumns } from '../../../encryption/iban-encryption.ts'
import type { NewEntry } from '../entry-queries.ts'
import type { Decision } from '../matching/matching.ts'
import { describeReturn } from '../matching/reasons.ts'
import type { Entry } from '../parsers/parsed-entry.ts'

export interface IdentifiedEntry {
  entry: Entry
  bankKey: Buffer | undefined
}

export function newRow(settings: Settings, one: IdentifiedEntry, decision: Decision | undefined, now: Date): NewEntry {
  if (decision === undefined) throw new Error('Matching returned no decision for an entry.')
  const { result, reason, problem, donation, suggestions } = decision
  const returned = result === 'returned' ? describeReturn(one.entry.returnReason) : undefined
  const explanation = returned ?? problem
  return {
    ...toRow(one, now),
    ...toIbanColumns(settings, one.entry.counterpartIban),
    bankKey: one.bankKey,
    result,
    reason: explanation?.code ?? reason,
    reasonText: explanation?.message ?? null,
    campaignId: donation?.campaignId ?? null,
    donationId: donation?.id ?? null,
    matchedBy: donation?.by ?? null,
    statusBefore: donation?.status ?? null,
    suggestions,
    firstSeen: null,
    collectionId: decision.collectionId ?? null,
    ruleId: decision.ruleId ?? null
  }
}

/** Leaves out the payer, who is stored with the first entry. */
export function newDuplicateRow(
  one: IdentifiedEntry,
  before: { statementId: number; entryId: string },
  now: Date
): NewEntry {
  return {
    ...toRow(one, now),
    text: '',
    counterpartName: null,
    counterpartBic: null,
    encryptedIban: null,
    ibanFingerprint: null,
    bankKey: undefined,
    result: 'known',
    reason: 'known-before',
    reasonText: null,
    campaignId: null,
    donationId: null,
    matchedBy: null,
    statusBefore: null,
    suggestions: [],
    firstSeen: { statementId: before.statementId, entryId: before.entryId },
    collectionId: null,
    ruleId: null
  }
}

function toRow({ entry }: IdentifiedEntry, now: Date) {
  const orNull = (text: string | null, most: number) => (text === null ? null : truncate(text, most) || null)
  return {
    id: newUuidV7(now.getTime()),
    position: entry.position,
    account: orNull(entry.account, 60),
    bookedOn: toValidDay(entry.bookedOn),
    valueOn: toValidDay(entry.valueOn),
    amountCents: entry.amountCents,
    currency: truncate(entry.currency, 10),
    direction: entry.direction,
    isReturn: entry.isReturn,
    returnReason: orNull(entry.returnReason, 500),
    isPending: entry.isPending,
    endToEndId: orNull(entry.endToEndId, 140),
    mandateReference: orNull(entry.mandateReference, 140),
    paymentInformationId: orNull(entry.paymentInformationId, 140),
    text: truncate(entry.text, 2000),
    counterpartName: orNull(entry.counterpartName, 200),
    counterpartBic: orNull(entry.counterpartBic, 40)
  }
}

function toIbanColumns(settings: Settings, iban: string | null) {
  const { encryptedIban, ibanFingerprint } = toEncryptedIbanColumns(settings, iban)
  return { encryptedIban, ibanFingerprint: ibanFingerprint }
}

export const currencyForm = /^[A-Z]{3}$/

/** Rejects dates that do not exist, which banks and people do write. */
export function toValidDay(given: string | null): string | null {
  if (given === null || !/^\d{4}-\d\d-\d\d$/.test(given)) return null
  const day = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given) && given >= '1900' ? given : null
}

/** Cuts the text, and removes characters that PostgreSQL cannot store. */
export function truncate(text: string, most: number): string {
  return Buffer.from([...text.slice(0, most * 2).replaceAll('\0', '')].slice(0, most).join(''))
    .toString()
    .trim()
}
