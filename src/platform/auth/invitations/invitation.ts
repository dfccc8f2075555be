import { record } from '../../activity/activity.ts'
import { type Actor, newSystemCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { queueEmail } from '../../email/outbox.ts'
import { normalizeEmail } from '../../email-address.ts'
import { type IfMatch, requireVersion } from '../../http/etag.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import {
  canMailLinks,
  issueLink,
  linkLifetimesMs,
  lockLink,
  newLinkEndedProblem
} from '../account-links/account-link.ts'
import * as links from '../account-links/queries.ts'
import { refuseContextWords } from '../passwords/context-words.ts'
import { refuseGuessable } from '../passwords/password.ts'
import type { NewSession } from '../sessions/schema.ts'
import { startSession } from '../sessions/session.ts'
import { createUser } from '../user-management/user.ts'
import { newEmailTakenProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import type { InvitationRow } from './queries.ts'
import * as invitations from './queries.ts'
import type { Acceptance, NewInvitation } from './schema.ts'

export interface InvitationWithToken {
  invitation: InvitationRow
  token: string
}

/** Invites a person without an account. Only this response contains the token. */
export async function inviteUser(
  db: Database,
  { by, settings, now = new Date() }: Actor & { settings: Settings },
  input: NewInvitation
): Promise<InvitationWithToken> {
  return await db.transaction(async tx => {
    const { name, role, language = settings.defaultLanguage } = input
    const email = normalizeEmail(input.email)
    if ((await users.findHash(tx, { email })) !== undefined) throw newEmailTakenProblem()
    const fields = { name, email, role, language, invitedBy: by.name, createdAt: now, expiresAt: computeExpiry(now) }
    const invitation = await invitations.insert(tx, fields)
    if (invitation === undefined) throw newAlreadyInvitedProblem()
    await record(tx, { by, now }, 'invitation.created', {
      subject: 'invitation',
      id: invitation.id,
      details: { name, role }
    })
    return { invitation, token: await issueAndMail(tx, settings, invitation, now) }
  })
}

/** Creates a new link, valid for another week, and invalidates earlier ones. */
export async function renewInvitation(
  db: Database,
  { by, settings, now = new Date() }: Actor & { settings: Settings },
  id: number
): Promise<InvitationWithToken> {
  return await db.transaction(async tx => {
    const before = await invitations.lock(tx, id)
    if (before === undefined) throw newInvitationNotFoundProblem(id)
    await links.removeFor(tx, { invitationId: id })
    const invitation = await invitations.setExpiry(tx, id, computeExpiry(now))
    const { name, role } = invitation
    await record(tx, { by, now }, 'invitation.renewed', { subject: 'invitation', id, details: { name, role } })
    return { invitation, token: await issueAndMail(tx, settings, invitation, now) }
  })
}

export async function withdrawInvitation(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    const before = await invitations.lock(tx, id)
    if (before === undefined) throw newInvitationNotFoundProblem(id)
    requireVersion(expected, before.version)
    await invitations.remove(tx, id)
    const { name, role } = before
    await record(tx, { by, now }, 'invitation.withdrawn', { subject: 'invitation', id, details: { name, role } })
  })
}

/**
 * Creates the account of an invited person and signs them in. The link is used up only if that succeeds. The password
 * hash comes from `hashForLink`, and is undefined if the link was invalid by then.
 */
export async function acceptInvitation(
  db: Database,
  { token, password, passwordHash }: Acceptance & { passwordHash: string | undefined },
  requestId: string,
  now = new Date()
): Promise<NewSession> {
  return await db.transaction(async tx => {
    const { invitationId } = await lockLink(tx, token, now)
    const invitation = invitationId === null ? undefined : await invitations.lock(tx, invitationId)
    if (invitation === undefined || passwordHash === undefined) throw newLinkEndedProblem()
    const { id, name, email, role, language } = invitation
    refuseGuessable(password, { name, email }, '/password')
    await refuseContextWords(tx, password, { name, email }, '/password')
    const by = { ...newSystemCaller('invitation'), requestId }
    await invitations.remove(tx, id)
    const user = await createUser(tx, by, { name, email, role, language, passwordHash, fallback: language }, now)
    return await startSession(tx, { id: user.id, hash: passwordHash }, requestId, now)
  })
}

async function issueAndMail(
  tx: Database,
  settings: Settings,
  { id, expiresAt }: InvitationRow,
  now: Date
): Promise<string> {
  // The e-mail creates its own link when it is rendered, so that no token is stored in the outbox.
  if (canMailLinks(settings)) await queueEmail(tx, settings, { kind: 'invitation', about: String(id) }, now)
  return await issueLink(tx, { invitationId: id }, new Date(expiresAt), now)
}

const computeExpiry = (now: Date) => new Date(now.getTime() + linkLifetimesMs.invitation)

const newInvitationNotFoundProblem = (id: number) =>
  new Problem(404, 'invitation-not-found', buildText('auth-problems', 'invitationNotFound', { id }))

function newAlreadyInvitedProblem(): Problem {
  const message = buildText('auth-problems', 'alreadyInvited')
  return new Problem(409, 'already-invited', message, {
    errors: [{ in: 'body', pointer: '/email', code: 'already-invited', message }]
  })
}
