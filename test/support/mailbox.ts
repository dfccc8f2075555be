import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An email as it arrived. */
export interface ReceivedEmail {
  from: string
  to: string[]
  /** By lower-case name, unfolded, with encoded words decoded. */
  headers: Record<string, string>
  text: string
  html: string
  attachments: { name: string; type: string; disposition: string; content: Buffer }[]
  raw: string
}

export interface Mailbox {
  url: string
  received: ReceivedEmail[]
  /** Refusals by recipient address. */
  refusals: Map<string, { code: number; text: string }>
  close(): Promise<void>
}

/** An SMTP server on this machine that stores what it receives. Without TLS by default. */
export async function startMailbox(options: SMTPServerOptions & { port?: number } = {}): Promise<Mailbox> {
  const { port = 0, ...rest } = options
  const received: ReceivedEmail[] = []
  const refusals: Mailbox['refusals'] = new Map()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusals.get(address)
      done(refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const raw = Buffer.concat(chunks).toString('latin1')
        const from = mailFrom === false ? '' : mailFrom.address
        received.push({ from, to: rcptTo.map(({ address }) => address), ...parseEmail(raw), raw })
        done()
      })
    },
    ...rest
  })
  // Some tests close the connection during a transfer.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await new Promise<void>(resolve => server.close(resolve))
  }
  after(close)
  return { url: `smtp://127.0.0.1:${address.port}`, received, refusals, close }
}

type Parts = Pick<ReceivedEmail, 'headers' | 'text' | 'html' | 'attachments'>

function parseEmail(raw: string): Parts {
  const end = raw.indexOf('\r\n\r\n')
  const headers = readHeaders(raw.slice(0, end))
  const body = raw.slice(end + 4)
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary !== undefined) {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map(part => parseEmail(part.replace(/^\r\n/, '')))
    return {
      headers,
      text: parts.map(part => part.text).join(''),
      html: parts.map(part => part.html).join(''),
      attachments: parts.flatMap(part => part.attachments)
    }
  }
  const content = decodeBody(body, headers['content-transfer-encoding'] ?? '7bit')
  const disposition = headers['content-disposition'] ?? ''
  const name = /filename="?([^";]+)/.exec(disposition)?.[1]
  if (name !== undefined) {
    const attachment = { name, type: type.split(';')[0] ?? '', disposition: disposition.split(';')[0] ?? '', content }
    return { headers, text: '', html: '', attachments: [attachment] }
  }
  const isHtml = type.startsWith('text/html')
  const textContent = content.toString('utf8')
  return { headers, text: isHtml ? '' : textContent, html: isHtml ? textContent : '', attachments: [] }
}

function readHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    })
  )
}

/** Decodes words such as =?UTF-8?Q?K=C3=A4fer?=; spaces between two encoded words are removed. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, scheme: string, word: string) =>
      scheme.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuotedPrintable(word.replaceAll('_', ' ')).toString('utf8')
    )
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : Buffer.from(body, 'latin1')
}

function decodeQuotedPrintable(text: string): Buffer {
  const whole = text.replace(/=\r\n/g, '')
  return Buffer.from(
    whole.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  )
}
