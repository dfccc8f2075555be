import { generateRandomText, hashToken } from '#platform/auth/tokens/token.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email, EmailTemplates } from '#platform/email/outbox.ts'
import { toSingleLine } from '#platform/email-address.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { buildSitePath } from '#platform/messages/site-paths.ts'
import * as site from '#platform/site/queries.ts'
import { buildSite } from '../contract/routing/site.ts'
import type { EventRow } from '../events/event-row.ts'
import * as events from '../events/queries.ts'
import { buildEventUrl } from '../events/wire.ts'
import { isPublic } from '../permissions/permissions.ts'
import type { SuggestionRow } from './queries.ts'
import * as suggestions from './queries.ts'
import * as retention from './retention-queries.ts'

/** All emails of the calendar; see docs/mail.md. `about` is the id of a suggestion, or the time of a digest. */
export const calendarEmails: EmailTemplates = {
  'suggestion-confirm': renderConfirm,
  'suggestion-accepted': renderAccepted,
  'suggestion-declined': renderDeclined,
  'suggestions-waiting': renderWaiting
}

/** Repeats no input of the form, because the address may belong to another person. The token is made here. */
async function renderConfirm(db: Database, { publicUrl }: Settings, about: string): Promise<Email | undefined> {
  if (publicUrl === undefined) return undefined
  const token = `ksl_${generateRandomText(10)}_${generateRandomText(32)}`
  const found = await suggestions.setToken(db, Number(about), hashToken(token))
  if (found === undefined) return undefined
  const { name } = await site.find(db)
  const { hello, confirm } = getMessages('suggestion-emails', found.language)
  const link = publicUrl + buildSitePath('suggestConfirm', found.language, token)
  const text = [hello, confirm.before({ siteName: name }), link, confirm.after, name]
  return toEmail(found.email, confirm.subject({ siteName: name }), text)
}

async function renderAccepted(db: Database, settings: Settings, about: string): Promise<Email | undefined> {
  const found = await findDecided(db, settings, about, 'accepted')
  if (found?.event === undefined || found.event.status !== 'publish') return undefined
  const { email, event, siteName, language } = found
  const now = new Date()
  const link =
    settings.publicUrl !== undefined && isPublic(event, now)
      ? buildEventUrl(event, { site: buildSite(settings.publicUrl, settings), now })
      : ''
  const { hello, accepted } = getMessages('suggestion-emails', language)
  const { title } = event
  return toEmail(email, accepted.subject({ title }), [
    hello,
    accepted.text({ title, hasLink: link !== '' }),
    link,
    siteName
  ])
}

async function renderDeclined(db: Database, settings: Settings, about: string): Promise<Email | undefined> {
  const found = await findDecided(db, settings, about, 'declined')
  if (found?.event === undefined) return undefined
  const { email, event, siteName, language, answer } = found
  const { hello, declined } = getMessages('suggestion-emails', language)
  const { title } = event
  return toEmail(email, declined.subject({ title }), [hello, declined.text({ title }), answer, siteName])
}

/** Undefined if the decision was taken back, or the data of the sender was erased. */
async function findDecided(
  db: Database,
  settings: Settings,
  about: string,
  state: SuggestionRow['state']
): Promise<
  { email: string; event: EventRow | undefined; siteName: string; language: Language; answer: string } | undefined
> {
  const row = await suggestions.find(db, Number(about))
  if (row?.state !== state || row.senderEmail === null || row.eventId === null) return undefined
  const { language, answer, senderEmail: email } = row
  const reader = {
    viewer: { visibility: 'all' as const, authorId: 0 },
    choice: { wanted: language, fallback: settings.defaultLanguage },
    zone: settings.timezone,
    now: new Date()
  }
  const [event, { name: siteName }] = await Promise.all([events.find(db, row.eventId, reader), site.find(db)])
  return { email, event, siteName, language, answer }
}

/** To the address of the organisation, without the data of senders. */
async function renderWaiting(db: Database, settings: Settings, about: string): Promise<Email | undefined> {
  const [{ contactEmail, name }, waiting] = await Promise.all([
    site.find(db),
    retention.listNotified(db, new Date(about))
  ])
  if (contactEmail === null || waiting.length === 0) return undefined
  const link = settings.publicUrl === undefined ? '' : `${settings.publicUrl}/admin/suggestions`
  const list = waiting.map(
    ({ title, start, allDay }) => `- ${start.slice(0, allDay ? 10 : 16)}  ${toSingleLine(title)}`
  )
  const { subject, before, after } = getMessages('suggestion-emails', settings.defaultLanguage).waiting
  const count = waiting.length
  return toEmail(contactEmail, subject({ count }), [before({ count }), list.join('\n'), after, link, name])
}

function toEmail(to: string, subject: string, text: string[]): Email {
  return { to, subject, text: `${text.filter(part => part !== '').join('\n\n')}\n` }
}
