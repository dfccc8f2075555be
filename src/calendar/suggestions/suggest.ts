import type { FastifyRequest } from 'fastify'
import { record } from '#platform/activity/activity.ts'
import { canMailLinks, newLinkEndedProblem } from '#platform/auth/account-links/account-link.ts'
import { ownerId } from '#platform/auth/keys/key.ts'
import { hashToken } from '#platform/auth/tokens/token.ts'
import { hasRole, noIds } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import { getRateLimitKey, isLocalRequest } from '#platform/http/client-address.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newProofUsedProblem, type ProofPurpose, rejectHoneypot } from '#platform/proof-of-work/problems.ts'
import { verifyProof } from '#platform/proof-of-work/proof-of-work.ts'
import type { RateLimit } from '#platform/rate-limit/limiter.ts'
import { incrementCounter } from '#platform/rate-limit/postgres-store.ts'
import * as site from '#platform/site/queries.ts'
import { newInvalidParamsProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { ownPrefix } from '../contract/routing/site.ts'
import { createEvent } from '../events/event.ts'
import {
  newQueueFullProblem,
  newSuggestionsOffProblem,
  newTooManyFromNetworkProblem,
  newTooManyFromSenderProblem
} from './problems.ts'
import * as suggestions from './queries.ts'
import type { SuggestedEvent, SuggestionValues } from './schema.ts'
import {
  dropUnknown,
  getSuggestionLanguage,
  toEventChanges,
  toPlainLines,
  toSuggestedEvent
} from './suggested-event.ts'

export const suggestionProof: ProofPurpose = {
  name: 'challenges for suggestions',
  field: 'proof_of_work',
  challengePath: `${ownPrefix}/suggestions/challenge`
}

/** Per client address, counted across all processes. */
export const getSuggestionRateLimit = ({ rateLimitSuggestions }: Settings): RateLimit => ({
  name: 'suggestions',
  perMinute: rateLimitSuggestions,
  isShared: true
})

const perNetwork = { name: 'suggestions-of-network', most: 30, windowSeconds: 86_400 }
/** Suggestions that wait at the same time: of one sender, for an editor, and for the link in the email. */
const waitingMax = { ofSender: 5, open: 500, unconfirmed: 1000 }
/** How long the link in the email works. */
export const confirmWithinMs = 48 * 3_600_000

export async function isProofRequired(db: Database): Promise<boolean> {
  return (await site.find(db)).suggestionsProofOfWork
}

/** Refuses suggestions where they are off, and too many of one network. Returns whether further limits apply. */
export async function admitSuggestion(
  { db, caller, site: { settings } }: WriteContext,
  request: FastifyRequest
): Promise<{ hasLimits: boolean }> {
  if (!(await site.find(db)).suggestions) throw newSuggestionsOffProblem()
  const hasLimits = !hasRole(caller, 'editor') && !isLocalRequest(request.raw, settings)
  if (!hasLimits || settings.rateLimitSuggestions === 0) return { hasLimits }
  const { count, secondsLeft } = await incrementCounter(db, { ...perNetwork, of: getRateLimitKey(request) })
  if (count > perNetwork.most) throw newTooManyFromNetworkProblem(secondsLeft)
  return { hasLimits }
}

/**
 * Stores a suggestion. Where email with links can be sent, the sender has to confirm the address first; otherwise the
 * suggestion is in the queue at once.
 */
export async function suggestEvent(
  db: Database,
  context: WriteContext,
  values: SuggestionValues,
  { hasLimits }: { hasLimits: boolean }
): Promise<{ id: number; state: 'unconfirmed' | 'open' }> {
  const { now, caller } = context
  const { settings } = context.site
  rejectHoneypot('homepage', values.homepage)
  const needsProof = !hasRole(caller, 'editor') && (await isProofRequired(db))
  const proof = needsProof ? await verifyProof(settings, suggestionProof, values.proof_of_work, now) : undefined
  const given = await toSuggestedEvent(context, values)
  const senderEmail = values.sender_email ?? ''
  const language = getSuggestionLanguage(context)
  const state = canMailLinks(settings) ? 'unconfirmed' : 'open'
  return await db.transaction(async tx => {
    await suggestions.lockQueue(tx)
    if (hasLimits) await enforceLimits(tx, senderEmail)
    const visitor = toVisitorContext(context, tx, language)
    const { event, unknown } = await dropUnknown(tx, visitor, given)
    if (unknown.length > 0) throw newUnknownLinksProblem(unknown)
    const eventId = state === 'open' ? await createPendingEvent(tx, visitor, event) : null
    const id = await suggestions.insert(
      tx,
      {
        ...{ state, eventId, language, senderEmail },
        fields: state === 'open' ? null : event,
        senderName: values.sender_name ?? '',
        message: toPlainLines(values.message ?? ''),
        proof: proof?.challenge ?? null
      },
      now
    )
    if (id === undefined) throw newProofUsedProblem(suggestionProof)
    if (state === 'open') await recordReceived(tx, visitor, id)
    else await queueEmail(tx, settings, { kind: 'suggestion-confirm', about: String(id) }, now)
    return { id, state }
  })
}

/** Puts the suggestion of a link into the queue. A second use changes nothing. */
export async function confirmSuggestion(db: Database, context: WriteContext, token: string): Promise<void> {
  const { now } = context
  await db.transaction(async tx => {
    const found = await suggestions.lockByToken(tx, hashToken(token), new Date(now.getTime() - confirmWithinMs))
    if (found === undefined) throw newLinkEndedProblem()
    if (found.state !== 'unconfirmed' || found.fields === null) return
    const visitor = toVisitorContext(context, tx, found.language)
    // The venue or the category may be gone since the suggestion was sent.
    const { event } = await dropUnknown(tx, visitor, found.fields)
    await suggestions.setConfirmed(tx, found.id, await createPendingEvent(tx, visitor, event), now)
    await recordReceived(tx, visitor, found.id)
  })
}

async function createPendingEvent(tx: Database, visitor: WriteContext, event: SuggestedEvent): Promise<number> {
  return (await createEvent(tx, visitor, toEventChanges(event))).id
}

async function recordReceived(tx: Database, { caller, now }: WriteContext, id: number): Promise<void> {
  await record(tx, { by: caller, now }, 'suggestion.received', { subject: 'suggestion', id })
}

/** A suggestion has the rights of a visitor, even if an editor sends it; its event belongs to the site. */
function toVisitorContext(context: WriteContext, tx: Database, language: Language): WriteContext {
  return {
    ...context,
    db: tx,
    caller: { ...noIds, role: undefined, name: 'visitor', requestId: context.caller.requestId },
    viewer: { visibility: 'published', authorId: ownerId },
    language,
    requestedLanguage: language
  }
}

async function enforceLimits(tx: Database, email: string): Promise<void> {
  const { open, unconfirmed, ofSender } = await suggestions.countWaiting(tx, email)
  if (ofSender >= waitingMax.ofSender) throw newTooManyFromSenderProblem(waitingMax.ofSender)
  if (open >= waitingMax.open || unconfirmed >= waitingMax.unconfirmed) throw newQueueFullProblem()
}

const newUnknownLinksProblem = (parameters: string[]) =>
  newInvalidParamsProblem(
    parameters.map(parameter => ({
      parameter,
      code: 'unknown',
      message: buildText('suggestion-problems', 'unknownLinks')
    }))
  )
