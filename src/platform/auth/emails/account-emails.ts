import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Email, EmailTemplates } from '../../email/outbox.ts'
import { getMessages } from '../../messages/messages.ts'
import * as site from '../../site/queries.ts'
import { issueLink, linkLifetimesMs, toLinkPath } from '../account-links/account-link.ts'
import * as invitations from '../invitations/queries.ts'
import * as users from '../users/queries.ts'

/**
 * All e-mails about accounts; see docs/accounts.md. Links are created when an e-mail is rendered, so no token is
 * stored.
 */
export const accountEmails: EmailTemplates = {
  invitation: renderInvitation,
  'password-reset': renderPasswordReset,
  'reset-link-made': async (db, settings, about) => await renderNotice(db, settings, about, 'resetLinkMade'),
  'password-changed': async (db, settings, about) => await renderNotice(db, settings, about, 'passwordChanged'),
  'identity-linked': async (db, settings, about) => await renderNotice(db, settings, about, 'identityLinked')
}

/** `about`: the id of an invitation, which may have been accepted or withdrawn by now. */
async function renderInvitation(db: Database, { publicUrl }: Settings, about: string): Promise<Email | undefined> {
  const now = new Date()
  const invitation = await invitations.find(db, Number(about))
  if (invitation === undefined || publicUrl === undefined || Date.parse(invitation.expiresAt) <= now.getTime()) {
    return undefined
  }
  const { id, name, email, language } = invitation
  const token = await issueLink(db, { invitationId: id }, new Date(invitation.expiresAt), now)
  const { name: siteName } = await site.find(db)
  const { hello, invitation: text } = getMessages('account-emails', language)
  const link = publicUrl + toLinkPath(token)
  return toEmail(email, text.subject({ siteName }), [
    hello({ name }),
    text.before({ siteName }),
    link,
    text.after,
    siteName
  ])
}

/** `about`: the id of a user, or 0 if no account has the requested address. */
async function renderPasswordReset(db: Database, { publicUrl }: Settings, about: string): Promise<Email | undefined> {
  const user = await users.find(db, Number(about))
  if (user === undefined || publicUrl === undefined) return undefined
  const now = new Date()
  const expiresAt = new Date(now.getTime() + linkLifetimesMs.resetByMail)
  const token = await issueLink(db, { userId: user.id }, expiresAt, now)
  const { name: siteName } = await site.find(db)
  const { hello, passwordReset: text } = getMessages('account-emails', user.language)
  const link = publicUrl + toLinkPath(token)
  return toEmail(user.email, text.subject({ siteName }), [
    hello({ name: user.name }),
    text.before,
    link,
    text.after,
    siteName
  ])
}

async function renderNotice(
  db: Database,
  { publicUrl = '', openid }: Settings,
  about: string,
  kind: 'resetLinkMade' | 'passwordChanged' | 'identityLinked'
): Promise<Email | undefined> {
  const user = await users.find(db, Number(about))
  if (user === undefined) return undefined
  const { name: siteName } = await site.find(db)
  const { hello, ...texts } = getMessages('account-emails', user.language)
  const provider = openid?.name ?? ''
  const { subject, what, advice } =
    kind === 'identityLinked'
      ? {
          subject: texts.identityLinked.subject({ provider, siteName }),
          what: texts.identityLinked.what({ provider }),
          advice: texts.identityLinked.advice
        }
      : { ...texts[kind], subject: texts[kind].subject({ siteName }) }
  return toEmail(user.email, subject, [hello({ name: user.name }), what, advice, publicUrl, siteName])
}

function toEmail(to: string, subject: string, text: string[]): Email {
  return { to, subject, text: `${text.filter(part => part !== '').join('\n\n')}\n` }
}
