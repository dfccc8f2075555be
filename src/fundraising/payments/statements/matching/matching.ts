import type { Database } from '#platform/database/database.ts'
import type { DonationStatus } from '../../../donations/schema.ts'
import { type EncryptionKeys, listIbanFingerprints } from '../../../encryption/iban-encryption.ts'
import { findNearReferences, findReferences, parseCampaignId } from '../../../money/reference.ts'
import type { Entry, EntryProblem } from '../parsers/parsed-entry.ts'
import type { EntryResult, MatchedBy, Suggestion } from '../schema.ts'
import { toPayerName } from './payer-name.ts'
import {
  findLargestCampaign,
  listByAccount,
  listByMandate,
  listByName,
  listByReference,
  type MatchCandidate
} from './queries.ts'
import type { Reason } from './reasons.ts'

/** The result of matching an entry. */
export interface Decision {
  result: EntryResult
  reason: Reason | null
  /** The problem that the parser found. */
  problem: EntryProblem | null
  /** The donation whose status it changes, with the status before. */
  donation: (Suggestion & { status: DonationStatus }) | null
  suggestions: Suggestion[]
  /** The direct debit collection whose credit this is, or may be. */
  collectionId?: number
  /** The payer rule that makes it ignored. */
  ruleId?: string
}

interface FoundCandidate {
  candidate: MatchCandidate
  by: MatchedBy
}

const suggestionsMax = 5

/**
 * Matches entries in file order: two payments for one donation do not both book it, and a payment returned on the same
 * day has failed. Uses a few queries for all entries together.
 */
export async function matchEntries(db: Database, settings: EncryptionKeys, entries: Entry[]): Promise<Decision[]> {
  const largest = await findLargestCampaign(db)
  const named = await findReferenced(db, entries, largest)
  const changed = new Map<string, MatchCandidate>()
  const asItIsNow = (candidate: MatchCandidate) => changed.get(toKey(candidate)) ?? candidate
  const decided = entries.map((entry, index) => {
    const known = (named[index] ?? []).map(asItIsNow)
    const decision = isReturned(entry) ? decideReturn(entry, known) : decideByReference(entry, known)
    const candidate = known.find(one => decision.donation !== null && toKey(one) === toKey(decision.donation))
    if (candidate !== undefined) changed.set(toKey(candidate), applyBooking(entry, candidate))
    return { entry, decision, known, index }
  })
  const open = decided.filter(({ entry, decision }) => isWorthGuessing(entry, decision))
  const guesses =
    open.length === 0 ? new Map<number, FoundCandidate[]>() : await guessDonations(db, settings, open, largest)
  for (const { entry, decision, known, index } of open) {
    const found = (guesses.get(index) ?? []).filter(({ candidate }) => !changed.has(toKey(candidate)))
    addGuesses(entry, decision, known, found)
  }
  return decided.map(({ decision }) => decision)
}

/** The donation after an entry of the same file was booked for it. */
function applyBooking(entry: Entry, candidate: MatchCandidate): MatchCandidate {
  if (isReturned(entry)) {
    const receivedCents = Math.max(0, candidate.receivedCents - entry.amountCents)
    return {
      ...candidate,
      receivedCents,
      unconfirmedCents: 0,
      status: receivedCents === 0 ? 'FAILED' : candidate.status
    }
  }
  const receivedCents = candidate.receivedCents - candidate.unconfirmedCents + entry.amountCents
  const status = receivedCents >= candidate.amountCents ? 'TRANSFERRED' : candidate.status
  return { ...candidate, receivedCents, unconfirmedCents: 0, status }
}

const toKey = ({ campaignId, id }: { campaignId: number; id: string }) => `${campaignId} ${id}`

const isReturned = (entry: Entry) => entry.isReturn && entry.direction === 'out'

/** The donations whose reference or mandate an entry names without a typo. */
async function findReferenced(db: Database, entries: Entry[], largest: number): Promise<MatchCandidate[][]> {
  const references = entries.map(entry =>
    isOfInterest(entry)
      ? findReferences(`${entry.text}\n${entry.endToEndId ?? ''}\n${entry.mandateReference ?? ''}`, largest)
      : []
  )
  const mandates = entries.flatMap(entry => (isOfInterest(entry) ? (entry.mandateReference ?? []) : []))
  const [byReference, byMandate] = await Promise.all([
    listByReference(db, [...new Set(references.flat())].map(toWanted)),
    listByMandate(db, [...new Set(mandates)])
  ])
  const ofReference = new Map(byReference.map(candidate => [candidate.reference, candidate]))
  return entries.map((entry, index) => {
    const found = (references[index] ?? []).flatMap(reference => ofReference.get(reference) ?? [])
    const debited = byMandate.filter(({ mandateReference }) => mandateReference === entry.mandateReference)
    return removeDuplicates([...found, ...(isOfInterest(entry) ? debited : [])])
  })
}

const toWanted = (reference: string) => ({ campaignId: parseCampaignId(reference), reference })

function removeDuplicates<One extends { campaignId: number; id: string }>(all: One[]): One[] {
  const seen = new Set<string>()
  return all.filter(one => !seen.has(toKey(one)) && seen.add(toKey(one)))
}

const isOfInterest = (entry: Entry) =>
  !entry.isPending && (entry.amountCents > 0 || entry.isRejected) && (entry.direction === 'out' || !entry.isReturn)

function decideByReference(entry: Entry, named: MatchCandidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const nothing = { problem, donation: null, suggestions: [] }
  if (entry.isPending) return { ...nothing, result: 'ignored', reason: 'pending' }
  // The direction is contradictory, so a person has to decide, even if it looks outgoing.
  if (problem?.code === 'direction-contradiction') return { ...nothing, result: 'problem', reason: null }
  if (entry.isReturn && entry.direction === 'in') return { ...nothing, result: 'ignored', reason: 'came-back' }
  if (entry.direction === 'out') return decideOutgoing(entry, named)
  const suggestions = rankSuggestions(
    entry,
    named.map(candidate => ({ candidate, by: 'reference' }))
  )
  if (problem !== null) return { ...nothing, result: 'problem', reason: null, suggestions }

  const exact = named.filter(candidate => isExact(entry, candidate))
  const [only] = exact
  if (only !== undefined && exact.length === 1) {
    const reason = entry.account !== null && entry.account !== only.campaignIban ? 'other-account' : null
    return { result: 'booked', reason, problem, donation: toLink(only, 'reference'), suggestions: [] }
  }
  if (suggestions.length === 0) return { ...nothing, result: 'unmatched', reason: 'no-donation' }
  const best = named.find(candidate => toKey(candidate) === toKey(suggestions[0] as Suggestion))
  const reason = exact.length > 1 || best === undefined ? 'several-references' : getReason(entry, best)
  return { result: 'suggested', reason, problem, donation: null, suggestions }
}

/** An outgoing transfer that names a donation may be a refund; a treasurer has to confirm it. */
function decideOutgoing(entry: Entry, named: MatchCandidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const nothing = { problem, donation: null, suggestions: [] }
  const received = named.filter(one => one.receivedCents > 0 && one.currency === entry.currency)
  if (received.length === 0 || problem !== null) return { ...nothing, result: 'ignored', reason: 'outgoing' }
  const suggestions = received.map(({ campaignId, id }) => ({ campaignId, id, by: 'reference' as const }))
  return { ...nothing, result: 'suggested', reason: 'refund', suggestions: suggestions.slice(0, suggestionsMax) }
}

/** A returned debit or transfer: its donation has failed. */
function decideReturn(entry: Entry, named: MatchCandidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const suggestions = rankSuggestions(
    entry,
    named.map(candidate => ({ candidate, by: 'reference' }))
  )
  const nothing = { problem, donation: null, suggestions }
  if (entry.isPending) return { ...nothing, result: 'ignored', reason: 'pending', suggestions: [] }
  if (problem !== null) return { ...nothing, result: 'problem', reason: null }
  const exact = named.filter(candidate => canReturn(candidate.status) && isExactReturn(entry, candidate))
  const [only] = exact
  if (only !== undefined && exact.length === 1) {
    return { result: 'returned', reason: null, problem, donation: toLink(only, 'reference'), suggestions: [] }
  }
  const [best] = named
  if (best === undefined) return { ...nothing, result: 'unmatched', reason: 'return-without-donation' }
  const reason = exact.length > 1 ? 'several-references' : canReturn(best.status) ? 'other-amount' : 'nothing-to-return'
  return { ...nothing, result: 'suggested', reason }
}

const canReturn = (status: DonationStatus) => status === 'TRANSFERRED' || status === 'IN_PROCESS'

/** Whether the entry is exactly the awaited amount, or confirms a payment recorded without an entry. */
function isExact(
  entry: Entry,
  { amountCents, receivedCents, unconfirmedCents, currency, status }: MatchCandidate
): boolean {
  if (currency !== entry.currency) return false
  if (unconfirmedCents > 0) return unconfirmedCents === entry.amountCents
  return status === 'IN_PROCESS' && amountCents - receivedCents === entry.amountCents
}

/** Whether all received money goes back, or a debit is rejected before any money arrived. */
function isExactReturn(entry: Entry, { amountCents, receivedCents, currency, status }: MatchCandidate): boolean {
  const isAwaited = status === 'IN_PROCESS' && receivedCents === 0
  // A status report may omit the amount of a rejected debit.
  if (entry.isRejected && entry.amountCents === 0) return isAwaited
  return currency === entry.currency && (isAwaited ? amountCents : receivedCents) === entry.amountCents
}

const toLink = ({ campaignId, id, status }: MatchCandidate, by: MatchedBy) => ({ campaignId, id, by, status })

/** Why a payment with a correct reference is not booked automatically. */
function getReason(entry: Entry, candidate: MatchCandidate): Reason {
  if (candidate.status === 'TRANSFERRED') return 'already-received'
  if (candidate.status === 'CANCELLED') return 'was-cancelled'
  if (candidate.status === 'FAILED') return 'had-failed'
  if (candidate.status === 'REFUNDED') return 'was-refunded'
  if (candidate.currency !== entry.currency) return 'other-currency'
  return candidate.amountCents - candidate.receivedCents > entry.amountCents ? 'paid-less' : 'paid-more'
}

/** Best first: donations that await exactly this amount, other waiting ones, then the rest. */
function rankSuggestions(entry: Entry, found: FoundCandidate[]): Suggestion[] {
  const waits = isReturned(entry) ? canReturn : (status: DonationStatus) => status === 'IN_PROCESS'
  const placeOf = ({ candidate }: FoundCandidate) => {
    const fits = isReturned(entry) ? isExactReturn(entry, candidate) : isExact(entry, candidate)
    return (waits(candidate.status) ? 0 : 2) + (fits ? 0 : 1)
  }
  return removeDuplicates(
    found
      .map(one => ({ ...one, place: placeOf(one) }))
      .sort((one, other) => one.place - other.place)
      .map(({ candidate: { campaignId, id }, by }) => ({ campaignId, id, by }))
  ).slice(0, suggestionsMax)
}

/** If a reference led to a waiting donation, there is nothing to guess. */
function isWorthGuessing(entry: Entry, { result, reason }: Decision): boolean {
  if (!isOfInterest(entry) || (entry.direction === 'out' && !entry.isReturn)) return false
  if (result === 'unmatched' || result === 'problem') return true
  return result === 'suggested' && reason === 'already-received'
}

interface OpenEntry {
  entry: Entry
  /** Its index among all entries. */
  index: number
}

/** Candidates by a reference with a typo, by account, and by name and amount; in this order per entry. */
async function guessDonations(
  db: Database,
  settings: EncryptionKeys,
  open: OpenEntry[],
  largest: number
): Promise<Map<number, FoundCandidate[]>> {
  const near = open.map(({ entry }) =>
    isReturned(entry) ? [] : findNearReferences(`${entry.text}\n${entry.endToEndId ?? ''}`, largest)
  )
  const incoming = open.filter(({ entry }) => !isReturned(entry))
  const [byTypo, byAccount, byName] = await Promise.all([
    listByReference(db, [...new Set(near.flat())].map(toWanted)),
    listByAccount(
      db,
      open.flatMap(({ entry, index }) => {
        const statuses: DonationStatus[] = isReturned(entry) ? ['TRANSFERRED'] : ['IN_PROCESS']
        const fingerprints = entry.counterpartIban === null ? [] : listIbanFingerprints(settings, entry.counterpartIban)
        const { amountCents, currency } = entry
        return fingerprints.map(fingerprint => ({ index, fingerprint, amountCents, currency, statuses }))
      })
    ),
    listByName(
      db,
      incoming.map(({ entry: { counterpartName: name, text, amountCents, currency }, index }) => ({
        index,
        payer: toPayerName(name, text),
        amountCents,
        currency
      }))
    )
  ])
  const ofReference = new Map(byTypo.map(candidate => [candidate.reference, candidate]))
  const found = new Map<number, FoundCandidate[]>()
  const add = (index: number, candidate: MatchCandidate, by: MatchedBy) =>
    found.set(index, [...(found.get(index) ?? []), { candidate, by }])
  for (const [at, { entry, index }] of open.entries()) {
    for (const reference of near[at] ?? []) {
      const candidate = ofReference.get(reference)
      // A finished donation with another amount matches only by chance.
      const isPlausible = candidate !== undefined && (candidate.status === 'IN_PROCESS' || isExact(entry, candidate))
      if (isPlausible) add(index, candidate, 'typo')
    }
  }
  for (const candidate of byAccount) add(candidate.index, candidate, 'account')
  for (const candidate of byName) add(candidate.index, candidate, 'name')
  return found
}

const reasonsToGuess: Partial<Record<MatchedBy, Reason>> = { typo: 'typo', account: 'same-account', name: 'same-name' }

/** Guesses rank after references. */
function addGuesses(entry: Entry, decision: Decision, named: MatchCandidate[], guesses: FoundCandidate[]): void {
  if (guesses.length === 0) return
  const known = named.map((candidate): FoundCandidate => ({ candidate, by: 'reference' }))
  const waiting = guesses.filter(({ candidate }) => !named.some(one => toKey(one) === toKey(candidate)))
  decision.suggestions = rankSuggestions(entry, [...known, ...waiting])
  if (decision.result !== 'unmatched') return
  const [best] = decision.suggestions
  decision.result = 'suggested'
  decision.reason = reasonsToGuess[best?.by ?? 'name'] ?? null
}
