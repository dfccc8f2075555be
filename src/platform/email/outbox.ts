import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/sql.ts'
import { newUuidV7 } from '../ids.ts'
import type { DueEmail } from './queries.ts'
import * as outbox from './queries.ts'

/** A rendered e-mail. It is never stored: the sender renders it from current data for each attempt. */
export interface Email {
  /** One address, optionally with a name. */
  to: string | { name: string; address: string }
  subject: string
  text: string
  /** The same text as HTML. `cid:code.png` shows the attachment named `code.png`. */
  html?: string
  /** A one-click link to unsubscribe, for `List-Unsubscribe` (RFC 2369, RFC 8058). */
  unsubscribeUrl?: string
  attachments?: { name: string; type: string; content: Buffer }[]
}

/** Renders the e-mail about `about`; undefined if it is no longer wanted. */
export type EmailTemplate = (db: Database, settings: Settings, about: string) => Promise<Email | undefined>

/** An e-mail to queue: its template, what it is about, and whether there is only one about it. */
export interface NewEmail {
  kind: string
  about: string
  once?: boolean
}

/** The templates of all kinds of e-mail. */
export type EmailTemplates = Record<string, EmailTemplate>

/**
 * Inserts an e-mail into the outbox as part of the caller's transaction. Does nothing if no e-mail can be sent
 * (SMTP_URL). `about` is one id or several, never personal data. `once`: skips the e-mail if one of this kind about the
 * same thing was queued before. It is sent within a minute; a route that calls `enqueueSoon('send-emails')` makes it a
 * second.
 */
export async function queueEmail(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  email: NewEmail,
  now: Date
): Promise<void> {
  const due = newDueEmail(settings, email, now)
  if (due !== undefined) await tx.run(buildQueuedEmails([due]))
}

/** The e-mail of `queueEmail`, for a statement of the caller; undefined if no e-mail can be sent. */
export function newDueEmail(
  settings: Pick<Settings, 'smtpUrl'>,
  { kind, about, once = false }: NewEmail,
  now: Date
): DueEmail | undefined {
  if (settings.smtpUrl === undefined) return undefined
  return { id: newUuidV7(now.getTime()), kind, about, isOnce: once, at: now.toISOString() }
}

/** Inserts e-mails, for a `with` of the caller. */
export function buildQueuedEmails(emails: DueEmail[]): Sql {
  return outbox.buildInsert(emails)
}

/** The same for many e-mails, each `once`, in one statement. `perMinute` spreads a mailing over time. */
export async function queueEmails(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  { kind, abouts, perMinute }: { kind: string; abouts: string[]; perMinute?: number },
  now: Date
): Promise<void> {
  if (settings.smtpUrl === undefined || abouts.length === 0) return
  await outbox.insertAll(
    tx,
    { kind, perMinute: perMinute ?? abouts.length },
    abouts.map(about => ({ id: newUuidV7(now.getTime()), about })),
    now
  )
}
