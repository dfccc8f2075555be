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

/** Delays after the first, second, … failed attempt: about two days in all, then the e-mail is given up. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs]

/** Longer than any attempt. If a process dies while sending, others can claim the e-mail after this. */
const leaseMs = 3 * minuteMs

const keptMs = 30 * 24 * hourMs

/** The jobs of the outbox. Only processes with SMTP_URL send e-mails. */
export function buildEmailJobs(settings: Settings, kinds: EmailTemplates): Job[] {
  let isSending = false
  let isRequestedAgain = false

  /** One run at a time per process, so that a slow mail server leaves capacity for other jobs. */
  async function send(db: Database, stopping: AbortSignal): Promise<void> {
    isRequestedAgain = true
    if (isSending) return
    isSending = true
    try {
      while (isRequestedAgain) {
        isRequestedAgain = false
        await sendDueEmails(db, settings, kinds, { stopping })
      }
    } finally {
      isSending = false
    }
  }

  return [
    {
      name: 'send-emails',
      formerName: 'send-mail',
      run: async (db, _payload, stopping) => await send(db, stopping),
      schedule: '* * * * *'
    },
    {
      name: 'delete-old-emails',
      formerName: 'forget-old-letters',
      run: async db => await deleteOldEmails(db, new Date()),
      schedule: '47 * * * *'
    }
  ]
}

/**
 * Sends due e-mails one after the other; returns how many were sent. Stops if the server accepts none. A template that
 * throws, which is a bug, does not block other e-mails: its error is thrown after the others were sent.
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
    const email = await renderEmail(db, settings, kinds, one)
    if (email === undefined) return 'dropped'
    await sendEmail(route, one.id, email)
    return 'sent'
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

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
  // The kind may belong to a newer version of the program that is about to take over.
  if (write === undefined)
    throw new EmailFailure(`unknown kind of email: ${kind}`, { isFinal: false, isOfServer: false })
  return await write(db, settings, about)
}

/** Deletes e-mails some time after they were sent or given up. */
export async function deleteOldEmails(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMs)
  while ((await emails.removeBefore(db, oldest)) > 0) {
    // As long as there are any.
  }
}
