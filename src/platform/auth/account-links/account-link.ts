import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { hashPassword } from '../passwords/password.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import type { LinkRow, LinkTarget } from './queries.ts'
import * as links from './queries.ts'

const hourMs = 3_600_000

/** How long a link is valid. An admin passes a reset link on in person, which takes longer than an e-mail. */
export const linkLifetimesMs = { invitation: 7 * 24 * hourMs, resetByAdmin: 24 * hourMs, resetByMail: hourMs }

/** Creates a link and returns its token, of which only a hash is stored. Also deletes expired links. */
export async function issueLink(tx: Database, target: LinkTarget, expiresAt: Date, now: Date): Promise<string> {
  const prefix = 'userId' in target ? 'krl' : 'kil'
  const token = `${prefix}_${generateRandomText(10)}_${generateRandomText(32)}`
  await links.removeExpired(tx, now)
  await links.insert(tx, target, { hash: hashToken(token), createdAt: now, expiresAt })
  return token
}

/** The path of the page behind a link. */
export function toLinkPath(token: string): string {
  return `/admin/${token.startsWith('kil') ? 'invitation' : 'reset'}?token=${token}`
}

/** Links are mailed only if SMTP and PUBLIC_URL are set: the host of a request is never trusted for them. */
export function canMailLinks(settings: Pick<Settings, 'smtpUrl' | 'publicUrl'>): boolean {
  return settings.smtpUrl !== undefined && settings.publicUrl !== undefined
}

export async function findLink(db: Database, token: string, now: Date): Promise<LinkRow> {
  const link = await links.find(db, hashToken(token), now)
  if (link === undefined) throw newLinkEndedProblem()
  return link
}

/**
 * Hashes the password that a user chooses through a link. Done before the transaction, because it takes long, and only
 * for a valid link: undefined otherwise.
 */
export async function hashForLink(
  db: Database,
  { token, password }: { token: string; password: string },
  now = new Date()
): Promise<string | undefined> {
  const link = await links.find(db, hashToken(token), now)
  return link === undefined ? undefined : await hashPassword(password)
}

/** Locks the link while it is used. */
export async function lockLink(tx: Database, token: string, now: Date): Promise<LinkRow> {
  const link = await links.lock(tx, hashToken(token), now)
  if (link === undefined) throw newLinkEndedProblem()
  return link
}

/** The same error for a used, withdrawn, expired or unknown link. */
export const newLinkEndedProblem = () => new Problem(410, 'link-ended', buildText('auth-problems', 'linkEnded'))
