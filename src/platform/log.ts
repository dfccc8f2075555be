import type { IncomingHttpHeaders } from 'node:http'
import { isatty } from 'node:tty'
import { type DestinationStream, pino } from 'pino'
import { newLogDestination } from './log-output/destination.ts'
import { formatLogLine } from './log-output/format.ts'
import type { LogFormat } from './settings/setting-values.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Anything shaped like an IBAN, with or without blanks (in a URL they are encoded), also inside longer text. */
const iban = /\b[A-Z]{2}\d{2}(?:(?: |%20|\+)?[A-Z0-9]){11,30}\b/gi

/** The minimum length of an IBAN; keys are longer. */
const secretLengthMin = 15

/** A key, or the token of a session, a device, an invitation, a link or the setup, put into a URL by mistake. */
const key = /\bk(?:(?:al|il|ls|rl|sl|st)_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}\b|ld_\d{5}_[\w-]{66})/g

/** URL parts with a token that gives access without an account, or with an IBAN in any notation. */
const token = /(\/(?:by-token|thanks|danke|ibans)\/)[^/?\s"]+/g

/** Redacts account numbers, keys and tokens: everything that reaches a log passes through here. */
export function redact(text: string): string {
  if (text.length < secretLengthMin) return text
  return text.replace(token, '$1[token]').replace(iban, '[IBAN]').replace(key, '[key]')
}

/** The trace of a request, under the names that OpenTelemetry uses; empty if its header is not valid. */
export function parseTrace({ traceparent }: IncomingHttpHeaders): { trace_id?: string; span_id?: string } {
  if (traceparent === undefined) return noTrace
  const [, version, trace, span, rest] = typeof traceparent === 'string' ? (tracePattern.exec(traceparent) ?? []) : []
  if (trace === undefined || span === undefined || /^0+$/.test(trace) || /^0+$/.test(span)) return {}
  // Later versions may append fields; version 00 has no more.
  if (version === 'ff' || (version === '00' && rest !== '')) return {}
  return { trace_id: trace, span_id: span }
}

const noTrace = {}

/** https://www.w3.org/TR/trace-context/ */
const tracePattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}((?:-.*)?)$/

/**
 * JSON lines on standard error, or text for people on a terminal; no body, header, account number or row value is ever
 * logged.
 */
export function newLog(level: string, format: LogFormat = 'auto'): pino.Logger {
  const isText = format === 'text' || (format === 'auto' && isatty(standardError))
  const destination = newLogDestination()
  return pino(
    { level, base: null, timestamp: newTimestamp(), serializers: { err: serializeError } },
    isText ? toTextDestination(destination) : destination
  )
}

const standardError = 2

function toTextDestination(destination: DestinationStream): DestinationStream {
  return { write: line => destination.write(formatLogLine(line)) }
}

/** The time of a log line as pino expects it; formatted once for all lines of a millisecond. */
function newTimestamp(): () => string {
  let lastMs: number | undefined
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) text = `,"time":"${new Date(nowMs).toISOString()}"`
    lastMs = nowMs
    return text
  }
}

/** PostgreSQL's `detail` quotes whole rows, so only the fields named here are logged. */
function serializeError(error: Error & { code?: unknown; constraint?: unknown }): object {
  return {
    type: error.name,
    message: redact(error.message),
    code: error.code,
    constraint: error.constraint,
    stack: redact(error.stack ?? ''),
    cause: error.cause instanceof Error ? serializeError(error.cause) : undefined
  }
}
