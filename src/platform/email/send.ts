import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Job } from '../jobs/jobs.ts'
import type { Email, EmailTemplates } from './outbox.ts'
import type { ClaimedEmail, EmailOutcome } from './queries.ts'
import * as emails from './queries.ts'
import { EmailFailure, getSmtpSettings, type SmtpSettings, sendEmail } from './smtp.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** How long a letter waits after its first, second, … failed attempt: about two days in all, then it is given up. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs]

/** Longer than any attempt takes. Whoever dies while sending leaves the letter to others after this. */
const leaseMs = 3 * minuteMs

const keptMs = 30 * 24 * hourMs

/** The jobs of the outbox. Letters are sent by whoever has SMTP_URL. */
export function buildEmailJobs(settings: Settings, kinds: EmailTemplates): Job[] {
  let isSending = false
  let isAskedAgain = false

  /** One at a time in a process, so that a slow mail server leaves room for other jobs. */
  async function send(db: Database, stopping: AbortSignal): Promise<void> {
    isAskedAgain = true
    if (isSending) return
    isSending = true
    try {
      while (isAskedAgain) {
        isAskedAgain = false
        await sendDueEmails(db, settings, kinds, { stopping })
      }
    } finally {
      isSending = false
    }
  }

  return [
    { name: 'send-mail', run: async (db, _payload, stopping) => await send(db, stopping), schedule: '* * * * *' },
    { name: 'forget-old-letters', run: async db => await deleteOldEmails(db, new Date()), schedule: '47 * * * *' }
  ]
}

/**
 * Sends what is due, one after the other; answers how many letters went. A server that takes none is left alone. A letter
 * that we cannot write, which is a mistake of ours, holds up no other: the mistake is thrown when the others have gone.
 */
export async function sendDueEmails(
  db: Database,
  settings: Settings,
  kinds: EmailTemplates,
  { now = () => new Date(), stopping }: { now?: () => Date; stopping?: AbortSignal } = {}
): Promise<number> {
  const route = getSmtpSettings(settings)
  if (route === undefined) return 0
  const mistakes: unknown[] = []
  let sent = 0
  while (stopping?.aborted !== true) {
    const began = now()
    const one = await emails.claim(db, { now: began, until: new Date(began.getTime() + leaseMs) })
    if (one === undefined) break
    const failure = await attempt(db, { settings, route, kinds }, one)
    const outcome =
      failure === 'sent' || failure === 'dropped' ? { state: failure } : toFailedOutcome(failure, one, now())
    await emails.finishAttempt(db, one.id, { error: null, ...outcome }, now())
    if (failure === 'sent') sent += 1
    else if (failure !== 'dropped' && !(failure instanceof EmailFailure)) mistakes.push(failure)
    else if (failure instanceof EmailFailure && failure.isServerFailure) break
  }
  if (mistakes.length > 0) throw mistakes[0]
  return sent
}

async function attempt(
  db: Database,
  { settings, route, kinds }: { settings: Settings; route: SmtpSettings; kinds: EmailTemplates },
  one: ClaimedEmail
): Promise<'sent' | 'dropped' | Error> {
  try {
    const letter = await renderEmail(db, settings, kinds, one)
    if (letter === undefined) return 'dropped'
    await sendEmail(route, one.id, letter)
    return 'sent'
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** What becomes of a letter that did not go. */
function toFailedOutcome(failure: Error, { attempts }: ClaimedEmail, now: Date): EmailOutcome {
  const isKnown = failure instanceof EmailFailure
  const error = isKnown ? failure.message : 'it could not be written'
  const delayMs = isKnown && failure.isFinal ? undefined : delaysMs[attempts]
  if (delayMs === undefined) return { state: 'given_up', error }
  return { state: 'waiting', error, nextAttemptAt: new Date(now.getTime() + delayMs) }
}

async function renderEmail(
  db: Database,
  settings: Settings,
  kinds: EmailTemplates,
  { kind, about }: ClaimedEmail
): Promise<Email | undefined> {
  const write = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  // One of a newer version of the program, perhaps, that is about to take over.
  if (write === undefined) throw new EmailFailure(`nobody here writes ${kind}`, { isFinal: false, isOfServer: false })
  return await write(db, settings, about)
}

/** Forgets letters a while after they went, or did not. */
export async function deleteOldEmails(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMs)
  while ((await emails.removeBefore(db, oldest)) > 0) {
    // As long as there are any.
  }
}
