import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Email, EmailTemplates } from '../../email/outbox.ts'
import { getMessages } from '../../messages/messages.ts'
import * as site from '../../site/queries.ts'
import * as users from '../users/queries.ts'

/** Notifies a user that an admin has removed their second factors. `about`: the id of the user. */
async function renderFactorsRemoved(db: Database, settings: Settings, about: string): Promise<Email | undefined> {
  const [user, { name: siteName }] = await Promise.all([users.find(db, Number(about)), site.find(db)])
  if (user === undefined) return undefined
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/account/security`
  const { subject, what, advice } = getMessages('account-emails', user.language).factorsRemoved
  const text = [what, advice, link, siteName].filter(part => part !== '').join('\n\n')
  return { to: user.email, subject: subject({ siteName }), text: `${text}\n` }
}

export const secondFactorEmails: EmailTemplates = { 'factors-removed': renderFactorsRemoved }
