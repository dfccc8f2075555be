import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../problem.ts'
import { hashPassword } from '../passwords/password.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import type { LinkRow, LinkTarget } from './queries.ts'
import * as links from './queries.ts'

const hourMs = 3_600_000

/** How long a link works. An admin hands a reset link over in person, a mail is there at once. */
export const linkLifetimesMs = { invitation: 7 * 24 * hourMs, resetByAdmin: 24 * hourMs, resetByMail: hourMs }

/** Makes a link and answers its token, which is stored as a hash only. Links that have ended are removed on the way. */
export async function issueLink(tx: Database, target: LinkTarget, expiresAt: Date, now: Date): Promise<string> {
  const prefix = 'userId' in target ? 'krl' : 'kil'
  const token = `${prefix}_${generateRandomText(10)}_${generateRandomText(32)}`
  await links.removeExpired(tx, now)
  await links.insert(tx, target, { hash: hashToken(token), createdAt: now, expiresAt })
  return token
}

/** The page of a link, as a path of ours. */
export function toLinkPath(token: string): string {
  return `/admin/${token.startsWith('kil') ? 'invitation' : 'reset'}?token=${token}`
}

/** Links are mailed where mail can be sent and our own address is known: never with a host that a request names. */
export function canMailLinks(settings: Pick<Settings, 'smtpUrl' | 'publicUrl'>): boolean {
  return settings.smtpUrl !== undefined && settings.publicUrl !== undefined
}

export async function findLink(db: Database, token: string, now: Date): Promise<LinkRow> {
  const link = await links.find(db, hashToken(token), now)
  if (link === undefined) throw newLinkEndedProblem()
  return link
}

/**
 * The hash of a password that somebody chooses at a link. It takes a while, so it is made before a transaction begins, and
 * only for a link that works: undefined otherwise.
 */
export async function hashForLink(
  db: Database,
  { token, password }: { token: string; password: string },
  now = new Date()
): Promise<string | undefined> {
  const link = await links.find(db, hashToken(token), now)
  return link === undefined ? undefined : await hashPassword(password)
}

/** Locks a link that somebody uses. */
export async function lockLink(tx: Database, token: string, now: Date): Promise<LinkRow> {
  const link = await links.lock(tx, hashToken(token), now)
  if (link === undefined) throw newLinkEndedProblem()
  return link
}

/** The same for a link that was used, withdrawn, has expired or never existed. */
export const newLinkEndedProblem = () =>
  new Problem(410, 'link-ended', {
    en: 'This link does not work any more: it was used, replaced or withdrawn, or it has expired. Ask for a new one.',
    de: 'Dieser Link gilt nicht mehr: Er wurde benutzt, ersetzt oder zurückgezogen, oder er ist abgelaufen. Bitte lassen Sie sich einen neuen geben.'
  })
