import * as users from '#platform/auth/users/queries.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import * as site from '#platform/site/queries.ts'
import { findAccountChange } from '../campaigns/account-changes/account-change.ts'
import { describeActor } from './actor.ts'

/** Notifies the contact address or an admin that a campaign has a new account. `about`: campaign, version, reader. */
export async function buildAccountChangedEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const [campaignId = '', version = '', reader = ''] = about.split(' ')
  const [change, { name: siteName, contactEmail }] = await Promise.all([
    findAccountChange(db, Number(campaignId), Number(version)),
    site.find(db)
  ])
  const to = await findRecipient(db, settings, reader, contactEmail)
  if (change === undefined || to === undefined) return undefined
  const { language, address } = to
  const messages = getMessages('account-change-email', language)
  const campaign = change.campaignName ?? campaignId
  const actor = describeActor(language, change.actor)
  const at = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: settings.timezone
  }).format(new Date(change.at))
  const lines = [
    messages.before({ account: change.before ?? '' }),
    messages.now({ account: change.after ?? '' }),
    change.askedBy === null
      ? messages.changed({ at, actor })
      : messages.confirmed({ at, actor, askedBy: describeActor(language, change.askedBy) })
  ]
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/campaigns/${campaignId}`
  return {
    to: address,
    subject: messages.subject({ campaign }),
    text: joinParagraphs(messages.opening({ campaign }), lines.join('\n'), messages.advice, link, siteName)
  }
}

/** The contact address of the site, or a user who is still an admin. */
async function findRecipient(
  db: Database,
  { defaultLanguage }: Settings,
  reader: string,
  contactEmail: string | null
): Promise<{ address: string; language: Language } | undefined> {
  if (reader === 'contact') {
    return contactEmail === null ? undefined : { address: contactEmail, language: defaultLanguage }
  }
  const user = await users.find(db, Number(reader))
  return user === undefined || user.role !== 'admin' ? undefined : { address: user.email, language: user.language }
}

function joinParagraphs(...texts: string[]): string {
  return `${texts.filter(text => text !== '').join('\n\n')}\n`
}
