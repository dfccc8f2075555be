import * as users from '#platform/auth/users/queries.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import * as site from '#platform/site/queries.ts'
import { confirmingRoles } from '#platform/site/second-person.ts'
import { findOpenRequest } from '../account-requests/account-request.ts'
import type { AccountRequestRow } from '../account-requests/queries.ts'
import { maskIban } from '../money/iban.ts'
import { describeActor } from './actor.ts'

/** Asks a user to confirm an account change as the second person. `about`: request, reader. */
export async function buildAccountRequestedEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const [requestId = '', reader = ''] = about.split(' ')
  const [request, user, { name: siteName }] = await Promise.all([
    findOpenRequest(db, Number(requestId)),
    users.find(db, Number(reader)),
    site.find(db)
  ])
  // The request may have ended before the e-mail is sent, or the user's role may have changed.
  if (request === undefined || user === undefined || !confirmingRoles.includes(user.role)) return undefined
  const { language } = user
  const messages = getMessages('account-request-email', language)
  const campaign = request.campaignName ?? ''
  const { subject, what } =
    request.change === 'campaign_account' ? formatCampaignMessages(language, campaign) : messages[request.change]
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/account-requests/${requestId}`
  const at = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: settings.timezone })
  const lines = [
    what,
    [
      ...buildAccountLines(language, request),
      messages.requested({ who: describeActor(language, request.askedBy), at: at.format(new Date(request.createdAt)) })
    ].join('\n'),
    messages.advice,
    link,
    siteName
  ]
  return { to: user.email, subject, text: `${lines.filter(line => line !== '').join('\n\n')}\n` }
}

function formatCampaignMessages(language: Language, campaign: string): { subject: string; what: string } {
  const { subject, what } = getMessages('account-request-email', language).campaign_account
  return { subject: subject({ campaign }), what: what({ campaign }) }
}

function buildAccountLines(language: Language, { iban, ibanBefore }: AccountRequestRow): string[] {
  if (iban === null) return []
  const { before, after, none } = getMessages('account-request-email', language)
  return [before({ iban: ibanBefore === null ? none : maskIban(ibanBefore) }), after({ iban: maskIban(iban) })]
}
