import type * as Nodemailer from 'nodemailer'
import { isLoopback, type Settings } from '../config.ts'
import { isEmailAddress, parseSender, type Sender, toSingleLine } from '../email-address.ts'
import { requireLazily } from '../lazy-require.ts'
import type { Email } from './outbox.ts'

const nodemailer = requireLazily<typeof Nodemailer>('nodemailer')

/** A server that does not answer is given up after these; together they are shorter than a letter is kept for one process. */
const connectMs = 10_000
const greetingMs = 10_000
const socketTimeoutMs = 30_000

/** Why a letter did not go. The text names neither address nor password, so that it can be kept and shown. */
export class EmailFailure extends Error {
  /** Will another attempt with this letter end in the same way, whatever is done about the server? */
  readonly isFinal: boolean
  /** Would every other letter have failed too? */
  readonly isServerFailure: boolean

  constructor(reason: string, { isFinal, isOfServer }: { isFinal: boolean; isOfServer: boolean }) {
    super(reason)
    this.isFinal = isFinal
    this.isServerFailure = isOfServer
  }
}

/** Where mail goes out, and in whose name. */
export interface SmtpSettings {
  smtpUrl: string
  mailFrom: string
}

/** Undefined where none is set. */
export function getSmtpSettings({
  smtpUrl,
  mailFrom
}: Pick<Settings, 'smtpUrl' | 'mailFrom'>): SmtpSettings | undefined {
  return smtpUrl === undefined || mailFrom === undefined ? undefined : { smtpUrl, mailFrom }
}

/** Hands one letter to the server. The id makes the Message-ID: a letter that comes twice can be known by it. */
export async function sendEmail(route: SmtpSettings, id: string, letter: Email): Promise<void> {
  const from = requireSender(route.mailFrom)
  const to = typeof letter.to === 'string' ? { name: '', address: letter.to } : letter.to
  if (!isEmailAddress(to.address))
    throw new EmailFailure('no mail can go to this address', { isFinal: true, isOfServer: false })
  const transport = openTransport(route)
  try {
    await transport.sendMail({
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      from,
      // As parts, never as text that would be read: a name with a comma or a line break stays a name.
      to: { name: toSingleLine(to.name), address: to.address },
      envelope: { from: from.address, to: [to.address] },
      subject: toSingleLine(letter.subject),
      text: letter.text,
      ...(letter.html === undefined ? {} : { html: letter.html }),
      attachments: (letter.attachments ?? []).map(({ name, type, content }) => ({
        filename: toSingleLine(name),
        contentType: type,
        content,
        // Only what the text shows: some programs hide an attachment that has an id.
        ...(letter.html?.includes(`cid:${name}`) === true ? { cid: name, contentDisposition: 'inline' as const } : {})
      })),
      // Answering machines leave letters alone that say this.
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true
    })
  } catch (error) {
    throw toFailure(error)
  } finally {
    transport.close()
  }
}

/** Connects and signs in, as for a letter; throws a EmailFailure that says what is wrong. */
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
    // A password goes in the clear to this machine only.
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
 * Replies quote addresses, so only their numbers are kept. What the server says to the recipient or to the letter is about
 * this letter, and final if it begins with 5; everything before that (no connection, no TLS, a wrong password, a sender it
 * does not know) would have met every letter, and somebody can mend it.
 */
function toFailure(error: unknown): EmailFailure {
  const { code = 'unknown', command = '', responseCode, response = '' } = error as Partial<SmtpError>
  const isOfLetter = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE' || code === 'EENVELOPE'
  const isOfSender = command === 'MAIL FROM' && code !== 'EMESSAGE'
  const isOfServer = !isOfLetter || isOfSender
  const detailed = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0]
  const reply = [responseCode, detailed].filter(part => part !== undefined && part !== '').join(' ')
  const reason = errorTexts[code] ?? 'the server did not take it'
  const where = command === '' || command === 'CONN' || command === 'API' ? '' : ` at ${command}`
  // Without a reply it is our own refusal to send such a letter, which will not change.
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
  EPROTOCOL: 'what answered is not a mail server',
  EENVELOPE: 'the server refused sender or recipient',
  EMESSAGE: 'the server refused the letter'
}

function requireSender(mailFrom: string): Sender {
  const sender = parseSender(mailFrom)
  if (sender === undefined) throw new Error('MAIL_FROM is no address.')
  return sender
}
