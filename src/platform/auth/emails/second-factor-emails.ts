import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { Email, EmailTemplates } from '../../email/outbox.ts'
import * as site from '../../site/queries.ts'
import * as users from '../users/queries.ts'

/** Notifies a user that an admin has removed their second factors. `about`: the id of the user. */
async function renderFactorsRemoved(db: Database, settings: Settings, about: string): Promise<Email | undefined> {
  const [user, { name: siteName }] = await Promise.all([users.find(db, Number(about)), site.find(db)])
  if (user === undefined) return undefined
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/account/security\n\n`
  const texts = {
    en: {
      subject: `Your second factor was removed: ${siteName}`,
      text: `An admin has removed the second factor from your user account. You now sign in with your password only.\n\nIf you asked for that, please set up a new one. If you did not, change your password at once and tell an admin.\n\n${link}${siteName}\n`
    },
    de: {
      subject: `Ihr zweiter Faktor wurde entfernt: ${siteName}`,
      text: `Die Administration hat den zweiten Faktor Ihres Zugangs entfernt. Sie melden sich jetzt nur mit Ihrem Passwort an.\n\nWenn Sie darum gebeten haben, richten Sie bitte einen neuen ein. Wenn nicht, ändern Sie sofort Ihr Passwort und wenden Sie sich an die Administration.\n\n${link}${siteName}\n`
    }
  }
  return { to: user.email, ...texts[user.language] }
}

export const secondFactorEmails: EmailTemplates = { 'factors-removed': renderFactorsRemoved }
