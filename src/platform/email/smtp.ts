import type * as Nodemailer from 'nodemailer'
import type { Settings } from '../config.ts'
import { isEmailAddress, parseSender, type Sender, toSingleLine } from '../email-address.ts'
import { requireLazily } from '../lazy-require.ts'
import { isLoopback } from '../settings/setting-values.ts'
import type { Email } from './outbox.ts'

const nodemailer = requireLazily<typeof Nodemailer>('nodemailer')

/** Timeouts for a server that does not respond; together they are shorter than the lease on an e-mail. */
const connectMs = 10_000
const greetingMs = 10_000
const socketTimeoutMs = 30_000

/** Why an e-mail was not sent. The message names neither address nor password, so that it can be stored and shown. */
export class EmailFailure extends Error {
  /** True if every further attempt with this e-mail will fail, whatever is done about the server. */
  readonly isFinal: boolean
  /** True if every other e-mail would have failed too. */
  readonly isServerFailure: boolean

  constructor(reason: string, { isFinal, isOfServer }: { isFinal: boolean; isOfServer: boolean }) {
    super(reason)
    this.isFinal = isFinal
    this.isServerFailure = isOfServer
  }
}

/** The SMTP server and the sender address. */
export interface SmtpSettings {
  smtpUrl: string
  mailFrom: string
}

/** Undefined if SMTP_URL is not set. */
export function getSmtpSettings({
  smtpUrl,
  mailFrom
}: Pick<Settings, 'smtpUrl' | 'mailFrom'>): SmtpSettings | undefined {
  return smtpUrl === undefined || mailFrom === undefined ? undefined : { smtpUrl, mailFrom }
}

/** Sends one e-mail. The Message-ID contains the id, so that a duplicate can be recognised. */
export async function sendEmail(route: SmtpSettings, id: string, email: Email): Promise<void> {
  const from = requireSender(route.mailFrom)
  const to = typeof email.to === 'string' ? { name: '', address: email.to } : email.to
  if (!isEmailAddress(to.address))
    throw new EmailFailure('no mail can go to this address', { isFinal: true, isOfServer: false })
  const transport = openTransport(route)
  try {
    await transport.sendMail({
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      from,
      // Pass name and address as fields, not as text to parse: a name with a comma or a line break stays a name.
      to: { name: toSingleLine(to.name), address: to.address },
      envelope: { from: from.address, to: [to.address] },
      subject: toSingleLine(email.subject),
      text: email.text,
      ...(email.html === undefined ? {} : { html: email.html }),
      attachments: (email.attachments ?? []).map(({ name, type, content }) => ({
        filename: toSingleLine(name),
        contentType: type,
        content,
        // Only for attachments that the HTML shows: some e-mail clients hide an attachment with a Content-ID.
        ...(email.html?.includes(`cid:${name}`) === true ? { cid: name, contentDisposition: 'inline' as const } : {})
      })),
      // Auto-responders do not answer e-mails with this header.
      headers: {
        'Auto-Submitted': 'auto-generated',
        // Mail programs show a button for it, and unsubscribe without opening a page.
        ...(email.unsubscribeUrl === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
      },
      ...(email.unsubscribeUrl === undefined ? {} : { list: { unsubscribe: email.unsubscribeUrl } }),
      disableFileAccess: true,
      disableUrlAccess: true
    })
  } catch (error) {
    throw toFailure(error)
  } finally {
    transport.close()
  }
}

/** Connects and authenticates as for an e-mail; throws an EmailFailure with the reason. */
export async function verifyServer(route: SmtpSettings): Promise<void> {
  const transport = openTransport(route)
  try {
    await transport.verify()
  } catch (error) {
    throw toFailure(error)
  } finally {
    transport.close()
  }
}

function openTransport({ smtpUrl }: SmtpSettings): Nodemailer.Transporter {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const tls = url.searchParams.get('tls')
  const hasPassword = url.username !== ''
  return nodemailer().createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ignoreTLS: tls === 'off',
    // Require TLS before sending a password, except to localhost.
    requireTLS: !secure && (tls === 'required' || (hasPassword && tls !== 'off' && !isLoopback(url.hostname))),
    ...(tls === 'unverified' ? { tls: { rejectUnauthorized: false } } : {}),
    ...(hasPassword
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: socketTimeoutMs,
    dnsTimeout: connectMs
  })
}

/**
 * SMTP replies quote addresses, so we keep only their codes. A reply to the recipient or to the message concerns this
 * e-mail, and is final if it is 5xx. An earlier failure (no connection, no TLS, a wrong password, a rejected sender)
 * would affect every e-mail, and an admin can fix it.
 */
function toFailure(error: unknown): EmailFailure {
  const { code = 'unknown', command = '', responseCode, response = '' } = error as Partial<SmtpError>
  const isOfEmail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE' || code === 'EENVELOPE'
  const isOfSender = command === 'MAIL FROM' && code !== 'EMESSAGE'
  const isOfServer = !isOfEmail || isOfSender
  const detailed = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0]
  const reply = [responseCode, detailed].filter(part => part !== undefined && part !== '').join(' ')
  const reason = errorTexts[code] ?? 'the server did not take it'
  const where = command === '' || command === 'CONN' || command === 'API' ? '' : ` at ${command}`
  // Without a reply, the refusal is our own, and a retry does not change it.
  const isFinal =
    !isOfServer && (responseCode === undefined ? code === 'EENVELOPE' || code === 'EMESSAGE' : responseCode >= 500)
  return new EmailFailure(reply === '' ? `${reason}${where}` : `${reason}: ${reply}${where}`, { isFinal, isOfServer })
}

interface SmtpError {
  code: string
  command: string
  responseCode: number
  response: string
}

const errorTexts: Record<string, string> = {
  ECONNECTION: 'no connection to the server',
  ESOCKET: 'no connection to the server',
  ECONNREFUSED: 'no connection to the server',
  EDNS: 'the server’s name was not found',
  ETIMEDOUT: 'the server did not answer in time',
  ETLS: 'no secure connection to the server',
  EAUTH: 'the server refused user name or password',
  EPROTOCOL: 'the host is not a mail server',
  EENVELOPE: 'the server refused sender or recipient',
  EMESSAGE: 'the server refused the email'
}

function requireSender(mailFrom: string): Sender {
  const sender = parseSender(mailFrom)
  if (sender === undefined) throw new Error('MAIL_FROM is not an email address.')
  return sender
}
