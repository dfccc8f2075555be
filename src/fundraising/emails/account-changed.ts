import * as users from '#platform/auth/users/queries.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
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
  const fields = {
    campaign: change.campaignName ?? campaignId,
    before: change.before ?? '',
    after: change.after ?? '',
    actor: describeActor(language, change.actor),
    askedBy: change.askedBy === null ? '' : describeActor(language, change.askedBy),
    at: new Intl.DateTimeFormat(language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: settings.timezone
    }).format(new Date(change.at)),
    link: settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/campaigns/${campaignId}`,
    siteName
  }
  const { subject, text } = pickByLanguage(strings, language)(fields)
  return { to: address, subject, text }
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

interface Fields {
  campaign: string
  before: string
  after: string
  actor: string
  /** The requester, if a second person confirmed the change. */
  askedBy: string
  at: string
  link: string
  siteName: string
}

const strings: Record<Language, (fields: Fields) => { subject: string; text: string }> = {
  en: ({ campaign, before, after, actor, askedBy, at, link, siteName }) => ({
    subject: `The account of “${campaign}” was changed`,
    text: joinParagraphs(
      `Donations to “${campaign}” go to another account from now on.`,
      `Before: ${before}\nNow: ${after}\n${
        askedBy === '' ? `Changed on ${at} by ${actor}.` : `Requested by ${askedBy}, confirmed on ${at} by ${actor}.`
      }`,
      'If this is correct, there is nothing you need to do. If not, revert the change at once and tell your administrators: someone may have unauthorised access.',
      link,
      siteName
    )
  }),
  de: ({ campaign, before, after, actor, askedBy, at, link, siteName }) => ({
    subject: `Das Konto von „${campaign}“ wurde geändert`,
    text: joinParagraphs(
      `Spenden für „${campaign}“ gehen ab jetzt auf ein anderes Konto.`,
      `Bisher: ${before}\nJetzt: ${after}\n${
        askedBy === ''
          ? `Geändert am ${at} durch ${actor}.`
          : `Beantragt durch ${askedBy}, bestätigt am ${at} durch ${actor}.`
      }`,
      'Wenn das stimmt, brauchen Sie nichts zu tun. Wenn nicht, machen Sie die Änderung sofort rückgängig und informieren Sie die Administration: Möglicherweise hat jemand unbefugt Zugriff.',
      link,
      siteName
    )
  })
}

function joinParagraphs(...texts: string[]): string {
  return `${texts.filter(text => text !== '').join('\n\n')}\n`
}
