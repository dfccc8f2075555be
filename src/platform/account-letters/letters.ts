import { issueLink, linkLifetimesMs, toLinkPath } from '../account-links/account-link.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database.ts'
import * as invitations from '../invitations/queries.ts'
import type { Letter, Letters } from '../mail/letter.ts'
import * as site from '../site/queries.ts'
import * as users from '../users/queries.ts'
import { accountLetterWords } from './words.ts'

/** Every letter about accounts; see docs/accounts.md. A link in one is made when it is written: no token waits in a table. */
export const accountLetters: Letters = {
  invitation: writeInvitation,
  'password-reset': writePasswordReset,
  'reset-link-made': async (db, settings, about) => await writeNotice(db, settings, about, 'resetLinkMade'),
  'password-changed': async (db, settings, about) => await writeNotice(db, settings, about, 'passwordChanged'),
  'identity-linked': async (db, settings, about) => await writeNotice(db, settings, about, 'identityLinked')
}

/** `about`: the id of an invitation that may have been accepted or withdrawn by now. */
async function writeInvitation(db: Database, { publicUrl }: Settings, about: string): Promise<Letter | undefined> {
  const now = new Date()
  const invitation = await invitations.find(db, Number(about))
  if (invitation === undefined || publicUrl === undefined || Date.parse(invitation.expiresAt) <= now.getTime()) {
    return undefined
  }
  const { id, name, email, language } = invitation
  const token = await issueLink(db, { invitationId: id }, new Date(invitation.expiresAt), now)
  const { name: siteName } = await site.find(db)
  const words = accountLetterWords[language].invitation
  return toLetter(email, words({ name, siteName, link: publicUrl + toLinkPath(token), provider: '' }))
}

/** `about`: the id of a user, or 0 where somebody asked for an address that no account has. */
async function writePasswordReset(db: Database, { publicUrl }: Settings, about: string): Promise<Letter | undefined> {
  const user = await users.find(db, Number(about))
  if (user === undefined || publicUrl === undefined) return undefined
  const now = new Date()
  const expiresAt = new Date(now.getTime() + linkLifetimesMs.resetByMail)
  const token = await issueLink(db, { userId: user.id }, expiresAt, now)
  const { name: siteName } = await site.find(db)
  const words = accountLetterWords[user.language].passwordReset
  return toLetter(user.email, words({ name: user.name, siteName, link: publicUrl + toLinkPath(token), provider: '' }))
}

async function writeNotice(
  db: Database,
  { publicUrl = '', openid }: Settings,
  about: string,
  kind: 'resetLinkMade' | 'passwordChanged' | 'identityLinked'
): Promise<Letter | undefined> {
  const user = await users.find(db, Number(about))
  if (user === undefined) return undefined
  const { name: siteName } = await site.find(db)
  const words = accountLetterWords[user.language][kind]
  return toLetter(user.email, words({ name: user.name, siteName, link: publicUrl, provider: openid?.name ?? '' }))
}

function toLetter(to: string, { subject, text }: { subject: string; text: string[] }): Letter {
  return { to, subject, text: `${text.filter(part => part !== '').join('\n\n')}\n` }
}
