import * as users from '#platform/auth/users/queries.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
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
  const { subject, what, text } = pickByLanguage(strings, language)(request)
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/account-requests/${requestId}`
  const at = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: settings.timezone })
  const lines = [
    what,
    [
      ...buildAccountLines(language, request),
      buildRequesterLine(language, describeActor(language, request.askedBy), at.format(new Date(request.createdAt)))
    ].join('\n'),
    text,
    link,
    siteName
  ]
  return { to: user.email, subject, text: `${lines.filter(line => line !== '').join('\n\n')}\n` }
}

function buildAccountLines(language: Language, { iban, ibanBefore }: AccountRequestRow): string[] {
  if (iban === null) return []
  const [before, after, none] = language === 'de' ? ['Bisher', 'Neu', 'keines'] : ['Before', 'New', 'none']
  return [`${before}: ${ibanBefore === null ? none : maskIban(ibanBefore)}`, `${after}: ${maskIban(iban)}`]
}

function buildRequesterLine(language: Language, who: string, at: string): string {
  return language === 'de' ? `Beantragt am ${at} durch ${who}.` : `Requested on ${at} by ${who}.`
}

interface RequestText {
  subject: string
  what: string
  text: string
}

const strings: Record<Language, (request: AccountRequestRow) => RequestText> = {
  en: ({ change, campaignName }) => ({
    ...{
      campaign_account: {
        subject: `Please confirm: another account for “${campaignName ?? ''}”`,
        what: `Donations to “${campaignName ?? ''}” are to go to another account. A second person has to confirm this.`
      },
      site_account: {
        subject: 'Please confirm: another account for new campaigns',
        what: 'New campaigns are to start with another account. A second person has to confirm this.'
      },
      turn_off: {
        subject: 'Please confirm: no second person for accounts any more',
        what: 'Accounts are to be changed without a second person from now on. A second person has to confirm this.'
      }
    }[change],
    text: 'Confirm it only if you know about it, and compare the IBAN with the documents of the bank. If you know nothing about it, reject it and ask the person yourself: their user account may have been taken over.'
  }),
  de: ({ change, campaignName }) => ({
    ...{
      campaign_account: {
        subject: `Bitte bestätigen: anderes Konto für „${campaignName ?? ''}“`,
        what: `Spenden für „${campaignName ?? ''}“ sollen auf ein anderes Konto gehen. Das muss eine zweite Person bestätigen.`
      },
      site_account: {
        subject: 'Bitte bestätigen: anderes Konto für neue Spendenaktionen',
        what: 'Neue Spendenaktionen sollen mit einem anderen Konto beginnen. Das muss eine zweite Person bestätigen.'
      },
      turn_off: {
        subject: 'Bitte bestätigen: keine zweite Person mehr für Konten',
        what: 'Konten sollen ab jetzt ohne zweite Person geändert werden. Das muss eine zweite Person bestätigen.'
      }
    }[change],
    text: 'Bestätigen Sie nur, wenn Sie davon wissen, und vergleichen Sie die IBAN mit den Unterlagen der Bank. Wissen Sie nichts davon, lehnen Sie ab und fragen Sie die Person selbst: Möglicherweise hat jemand unbefugt Zugriff.'
  })
}
