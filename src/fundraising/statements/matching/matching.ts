import type { Database } from '#platform/database.ts'
import type { DonationStatus } from '../../donations/schema.ts'
import { campaignIn, referencesIn, referencesNear } from '../../reference.ts'
import { type Keys, printsOf } from '../../vault.ts'
import type { Entry, EntryProblem } from '../reading/entry.ts'
import type { MatchedBy, Result, Suggestion } from '../schema.ts'
import {
  type Candidate,
  findLargestCampaign,
  listByAccount,
  listByMandate,
  listByName,
  listByReference
} from './lookups.ts'
import { toPayer } from './payer-name.ts'
import type { Reason } from './reasons.ts'

/** What becomes of an entry. */
export interface Decision {
  result: Result
  reason: Reason | null
  /** What the reader of the file found wrong. */
  problem: EntryProblem | null
  /** The donation that it moves, and what it is in until then. */
  donation: (Suggestion & { status: DonationStatus }) | null
  suggestions: Suggestion[]
  /** The direct debit collection that it is the credit of, or may be. */
  collectionId?: number
  /** The rule of a payer by which it is ignored. */
  ruleId?: string
}

interface Found {
  candidate: Candidate
  by: MatchedBy
}

const suggestionsMax = 5

/**
 * What each entry is for, in the order of the file: two that pay for one donation do not both book it,
 * and what came and went back on one day has failed. Asks the database
 * a few times for all of them together.
 */
export async function match(db: Database, settings: Keys, entries: Entry[]): Promise<Decision[]> {
  const largest = await findLargestCampaign(db)
  const named = await findNamed(db, entries, largest)
  const changed = new Map<string, Candidate>()
  const asItIsNow = (candidate: Candidate) => changed.get(keyOf(candidate)) ?? candidate
  const decided = entries.map((entry, index) => {
    const known = (named[index] ?? []).map(asItIsNow)
    const decision = isReturned(entry) ? decideReturn(entry, known) : decideByReference(entry, known)
    const candidate = known.find(one => decision.donation !== null && keyOf(one) === keyOf(decision.donation))
    if (candidate !== undefined) changed.set(keyOf(candidate), afterBooking(entry, candidate))
    return { entry, decision, known, index }
  })
  const open = decided.filter(({ entry, decision }) => isWorthGuessing(entry, decision))
  const guesses = open.length === 0 ? new Map<number, Found[]>() : await guess(db, settings, open, largest)
  for (const { entry, decision, known, index } of open) {
    const found = (guesses.get(index) ?? []).filter(({ candidate }) => !changed.has(keyOf(candidate)))
    addGuesses(entry, decision, known, found)
  }
  return decided.map(({ decision }) => decision)
}

/** What a donation is once an entry of the same file was booked for it. */
function afterBooking(entry: Entry, candidate: Candidate): Candidate {
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

const keyOf = ({ campaignId, id }: { campaignId: number; id: string }) => `${campaignId} ${id}`

const isReturned = (entry: Entry) => entry.isReturn && entry.direction === 'out'

/** Those whose reference, or mandate, an entry names without a mistake. */
async function findNamed(db: Database, entries: Entry[], largest: number): Promise<Candidate[][]> {
  const references = entries.map(entry =>
    isOfInterest(entry)
      ? referencesIn(`${entry.text}\n${entry.endToEndId ?? ''}\n${entry.mandateReference ?? ''}`, largest)
      : []
  )
  const mandates = entries.flatMap(entry => (isOfInterest(entry) ? (entry.mandateReference ?? []) : []))
  const [byReference, byMandate] = await Promise.all([
    listByReference(db, [...new Set(references.flat())].map(wantedOf)),
    listByMandate(db, [...new Set(mandates)])
  ])
  const ofReference = new Map(byReference.map(candidate => [candidate.reference, candidate]))
  return entries.map((entry, index) => {
    const found = (references[index] ?? []).flatMap(reference => ofReference.get(reference) ?? [])
    const debited = byMandate.filter(({ mandateReference }) => mandateReference === entry.mandateReference)
    return withoutRepeats([...found, ...(isOfInterest(entry) ? debited : [])])
  })
}

const wantedOf = (reference: string) => ({ campaignId: campaignIn(reference), reference })

function withoutRepeats<One extends { campaignId: number; id: string }>(all: One[]): One[] {
  const seen = new Set<string>()
  return all.filter(one => !seen.has(keyOf(one)) && seen.add(keyOf(one)))
}

const isOfInterest = (entry: Entry) =>
  !entry.isPending && (entry.amountCents > 0 || entry.isRejected) && (entry.direction === 'out' || !entry.isReturn)

function decideByReference(entry: Entry, named: Candidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const nothing = { problem, donation: null, suggestions: [] }
  if (entry.isPending) return { ...nothing, result: 'ignored', reason: 'pending' }
  // Nobody knows which way it went: a person has to look, also where it seems to have been sent.
  if (problem?.code === 'direction-contradiction') return { ...nothing, result: 'problem', reason: null }
  if (entry.isReturn && entry.direction === 'in') return { ...nothing, result: 'ignored', reason: 'came-back' }
  if (entry.direction === 'out') return decideOutgoing(entry, named)
  const suggestions = suggestionsOf(
    entry,
    named.map(candidate => ({ candidate, by: 'reference' }))
  )
  if (problem !== null) return { ...nothing, result: 'problem', reason: null, suggestions }

  const exact = named.filter(candidate => isExact(entry, candidate))
  const [only] = exact
  if (only !== undefined && exact.length === 1) {
    const reason = entry.account !== null && entry.account !== only.campaignIban ? 'other-account' : null
    return { result: 'booked', reason, problem, donation: linkTo(only, 'reference'), suggestions: [] }
  }
  if (suggestions.length === 0) return { ...nothing, result: 'unmatched', reason: 'no-donation' }
  const best = named.find(candidate => keyOf(candidate) === keyOf(suggestions[0] as Suggestion))
  const reason = exact.length > 1 || best === undefined ? 'several-references' : whyNot(entry, best)
  return { result: 'suggested', reason, problem, donation: null, suggestions }
}

/** A transfer of ours that names a donation may pay it back: somebody has to say so. */
function decideOutgoing(entry: Entry, named: Candidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const nothing = { problem, donation: null, suggestions: [] }
  const received = named.filter(one => one.receivedCents > 0 && one.currency === entry.currency)
  if (received.length === 0 || problem !== null) return { ...nothing, result: 'ignored', reason: 'outgoing' }
  const suggestions = received.map(({ campaignId, id }) => ({ campaignId, id, by: 'reference' as const }))
  return { ...nothing, result: 'suggested', reason: 'refund', suggestions: suggestions.slice(0, suggestionsMax) }
}

/** A debit that the bank took back, or a transfer: the donation that it was for has failed. */
function decideReturn(entry: Entry, named: Candidate[]): Decision {
  const problem = entry.problems[0] ?? null
  const suggestions = suggestionsOf(
    entry,
    named.map(candidate => ({ candidate, by: 'reference' }))
  )
  const nothing = { problem, donation: null, suggestions }
  if (entry.isPending) return { ...nothing, result: 'ignored', reason: 'pending', suggestions: [] }
  if (problem !== null) return { ...nothing, result: 'problem', reason: null }
  const exact = named.filter(candidate => canReturn(candidate.status) && isExactReturn(entry, candidate))
  const [only] = exact
  if (only !== undefined && exact.length === 1) {
    return { result: 'returned', reason: null, problem, donation: linkTo(only, 'reference'), suggestions: [] }
  }
  const [best] = named
  if (best === undefined) return { ...nothing, result: 'unmatched', reason: 'return-without-donation' }
  const reason = exact.length > 1 ? 'several-references' : canReturn(best.status) ? 'other-amount' : 'nothing-to-return'
  return { ...nothing, result: 'suggested', reason }
}

const canReturn = (status: DonationStatus) => status === 'TRANSFERRED' || status === 'IN_PROCESS'

/** The entry brings what the donation waits for, or confirms what was recorded without it. */
function isExact(entry: Entry, { amountCents, receivedCents, unconfirmedCents, currency, status }: Candidate): boolean {
  if (currency !== entry.currency) return false
  if (unconfirmedCents > 0) return unconfirmedCents === entry.amountCents
  return status === 'IN_PROCESS' && amountCents - receivedCents === entry.amountCents
}

/** All that arrived goes back, or a debit is refused that nothing has arrived of. */
function isExactReturn(entry: Entry, { amountCents, receivedCents, currency, status }: Candidate): boolean {
  const isAwaited = status === 'IN_PROCESS' && receivedCents === 0
  // A status report need not repeat the amount of what was rejected.
  if (entry.isRejected && entry.amountCents === 0) return isAwaited
  return currency === entry.currency && (isAwaited ? amountCents : receivedCents) === entry.amountCents
}

const linkTo = ({ campaignId, id, status }: Candidate, by: MatchedBy) => ({ campaignId, id, by, status })

/** What keeps a payment with a good reference from being booked at once. */
function whyNot(entry: Entry, candidate: Candidate): Reason {
  if (candidate.status === 'TRANSFERRED') return 'already-received'
  if (candidate.status === 'CANCELLED') return 'was-cancelled'
  if (candidate.status === 'FAILED') return 'had-failed'
  if (candidate.status === 'REFUNDED') return 'was-refunded'
  if (candidate.currency !== entry.currency) return 'other-currency'
  return candidate.amountCents - candidate.receivedCents > entry.amountCents ? 'paid-less' : 'paid-more'
}

/** The best first: those that wait for exactly this, those that wait, and others. */
function suggestionsOf(entry: Entry, found: Found[]): Suggestion[] {
  const waits = isReturned(entry) ? canReturn : (status: DonationStatus) => status === 'IN_PROCESS'
  const placeOf = ({ candidate }: Found) => {
    const fits = isReturned(entry) ? isExactReturn(entry, candidate) : isExact(entry, candidate)
    return (waits(candidate.status) ? 0 : 2) + (fits ? 0 : 1)
  }
  return withoutRepeats(
    found
      .map(one => ({ ...one, place: placeOf(one) }))
      .sort((one, other) => one.place - other.place)
      .map(({ candidate: { campaignId, id }, by }) => ({ campaignId, id, by }))
  ).slice(0, suggestionsMax)
}

/** Where a reference led to a donation that waits for money, nothing is left to guess. */
function isWorthGuessing(entry: Entry, { result, reason }: Decision): boolean {
  if (!isOfInterest(entry) || (entry.direction === 'out' && !entry.isReturn)) return false
  if (result === 'unmatched' || result === 'problem') return true
  return result === 'suggested' && reason === 'already-received'
}

interface Open {
  entry: Entry
  /** Its place among all. */
  index: number
}

/** Donations by a reference with a mistake, by the account, and by name and amount; for each entry in this order. */
async function guess(db: Database, settings: Keys, open: Open[], largest: number): Promise<Map<number, Found[]>> {
  const near = open.map(({ entry }) =>
    isReturned(entry) ? [] : referencesNear(`${entry.text}\n${entry.endToEndId ?? ''}`, largest)
  )
  const incoming = open.filter(({ entry }) => !isReturned(entry))
  const [byTypo, byAccount, byName] = await Promise.all([
    listByReference(db, [...new Set(near.flat())].map(wantedOf)),
    listByAccount(
      db,
      open.flatMap(({ entry, index }) => {
        const statuses: DonationStatus[] = isReturned(entry) ? ['TRANSFERRED'] : ['IN_PROCESS']
        const prints = entry.counterpartIban === null ? [] : printsOf(settings, entry.counterpartIban)
        const { amountCents, currency } = entry
        return prints.map(print => ({ index, print, amountCents, currency, statuses }))
      })
    ),
    listByName(
      db,
      incoming.map(({ entry: { counterpartName: name, text, amountCents, currency }, index }) => ({
        index,
        payer: toPayer(name, text),
        amountCents,
        currency
      }))
    )
  ])
  const ofReference = new Map(byTypo.map(candidate => [candidate.reference, candidate]))
  const found = new Map<number, Found[]>()
  const add = (index: number, candidate: Candidate, by: MatchedBy) =>
    found.set(index, [...(found.get(index) ?? []), { candidate, by }])
  for (const [at, { entry, index }] of open.entries()) {
    for (const reference of near[at] ?? []) {
      const candidate = ofReference.get(reference)
      // One that is over, and of another amount, only looks like it by chance.
      const isPlausible = candidate !== undefined && (candidate.status === 'IN_PROCESS' || isExact(entry, candidate))
      if (isPlausible) add(index, candidate, 'typo')
    }
  }
  for (const candidate of byAccount) add(candidate.index, candidate, 'account')
  for (const candidate of byName) add(candidate.index, candidate, 'name')
  return found
}

const reasonsToGuess: Partial<Record<MatchedBy, Reason>> = { typo: 'typo', account: 'same-account', name: 'same-name' }

/** Guesses stand behind what a reference says. */
function addGuesses(entry: Entry, decision: Decision, named: Candidate[], guesses: Found[]): void {
  if (guesses.length === 0) return
  const known = named.map((candidate): Found => ({ candidate, by: 'reference' }))
  const waiting = guesses.filter(({ candidate }) => !named.some(one => keyOf(one) === keyOf(candidate)))
  decision.suggestions = suggestionsOf(entry, [...known, ...waiting])
  if (decision.result !== 'unmatched') return
  const [best] = decision.suggestions
  decision.result = 'suggested'
  decision.reason = reasonsToGuess[best?.by ?? 'name'] ?? null
}
