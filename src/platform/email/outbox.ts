import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { newUuidV7 } from '../ids.ts'
import * as emails from './queries.ts'

/** A letter as it is sent. Nothing of it is kept: it is written when it goes, of what is known then. */
export interface Email {
  /** One address; with a name where there is one. */
  to: string | { name: string; address: string }
  subject: string
  text: string
  /** The same for those who see more than text. An attachment of the name `code.png` is shown by `cid:code.png`. */
  html?: string
  attachments?: { name: string; type: string; content: Buffer }[]
}

/** Writes a letter about the thing that it was posted with; undefined if it is not wanted any more. */
export type EmailTemplate = (db: Database, settings: Settings, about: string) => Promise<Email | undefined>

/** All kinds of letters. */
export type EmailTemplates = Record<string, EmailTemplate>

/**
 * Puts a letter into the outbox: it is there when the transaction is. Where no mail can be sent (SMTP_URL), it does nothing.
 * `about` is an id or several, never anything personal. `once`: whoever has had this kind about the same thing gets no other.
 * It goes within a minute; a route that calls `soon('send-mail')` makes it a second.
 */
export async function queueEmail(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  { kind, about, once = false }: { kind: string; about: string; once?: boolean },
  now: Date
): Promise<void> {
  if (settings.smtpUrl === undefined) return
  await emails.insert(tx, { id: newUuidV7(now.getTime()), kind, about, isOnce: once }, now)
}

/** The same for many at once, each once: one statement, however many there are. */
export async function queueEmails(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  { kind, abouts }: { kind: string; abouts: string[] },
  now: Date
): Promise<void> {
  if (settings.smtpUrl === undefined || abouts.length === 0) return
  await emails.insertAll(
    tx,
    kind,
    abouts.map(about => ({ id: newUuidV7(now.getTime()), about })),
    now
  )
}
