import { fstatSync, writeSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Anything shaped like an IBAN, with or without blanks (in a URL they are encoded), also inside longer text. */
const iban = /\b[A-Z]{2}\d{2}(?:(?: |%20|\+)?[A-Z0-9]){11,30}\b/gi

/** The minimum length of an IBAN; keys are longer. */
const secretLengthMin = 15

/** A key, or the token of a session, a device, an invitation, a reset link or the setup, put into a URL by mistake. */
const key = /\bk(?:(?:al|il|ls|rl|st)_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}\b|ld_\d{5}_[\w-]{66})/g

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
 * JSON lines on standard error; no body, header, account number or row value is ever logged. Lines are buffered for a
 * moment, because a write for each costs as much as the rest of a small request.
 */
export function newLog(level: string): pino.Logger {
  return pino(
    { level, base: null, timestamp: formatTime, serializers: { err: serializeError } },
    newBufferedDestination()
  )
}

/** The response, and the caller who got it. */
export interface AccessLogEntry {
  method: string
  path: string
  status: number
  caller: string
  /** The same fields as part of a log line, set when first written: a repeated response is serialized once. */
  serialized: string
}

/** What differs for each request. */
export interface RequestInfo {
  ms: number
  requestId: string
  headers: IncomingHttpHeaders
}

export type WriteAccessLog = (answered: AccessLogEntry, circumstances: RequestInfo) => void

/** Writes the log line of each request: concatenated by hand, in a fourth of the time that pino takes. */
export function newAccessLog(log: Log): WriteAccessLog {
  const { [pino.symbols.streamSym]: stream, isLevelEnabled } = log as Partial<pino.Logger> & {
    [pino.symbols.streamSym]?: pino.DestinationStream
  }
  if (stream === undefined || isLevelEnabled === undefined)
    return ({ method, path, status, caller }, { ms, requestId, headers }) =>
      log.info({ method, path, status, caller, ms: roundToTenths(ms), requestId, ...parseTrace(headers) }, 'request')
  if (!isLevelEnabled.call(log, 'info')) return () => {}
  return (answered, { ms, requestId, headers }) => {
    if (answered.serialized === '') answered.serialized = serializeEntry(answered)
    const { trace_id: trace, span_id: span } = parseTrace(headers)
    const traced = trace === undefined ? '' : `,"trace_id":"${trace}","span_id":"${span}"`
    stream.write(
      `{"level":30${formatTime()}${answered.serialized},"ms":${roundToTenths(ms)},"requestId":"${requestId}"${traced},"msg":"request"}\n`
    )
  }
}

function serializeEntry({ method, path, status, caller }: AccessLogEntry): string {
  return flattenString(
    `,"method":"${method}","path":${JSON.stringify(path)},"status":${status},"caller":${JSON.stringify(caller)}`
  )
}

/** V8 keeps a concatenated string as its parts, which it would join again for each line that contains the string. */
export const flattenString = (text: string) => Buffer.from(text).toString()

const roundToTenths = (ms: number) => Math.round(ms * 10) / 10

/** Several processes may write into one pipe, where only writes up to this size stay in one piece. */
const pipeWriteBytesMax = 4096
const fileWriteBytesMax = 65_536
const flushIntervalMs = 200

/** Buffers lines in an array, because the library would append every line to all others again. */
function newBufferedDestination(): pino.DestinationStream {
  let lines: string[] = []
  let characters = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (characters === 0) return
    destination.write(lines.join(''))
    lines = []
    characters = 0
  }
  process.on('exit', () => {
    // An asynchronous write that begins now would not complete.
    Object.assign(destination, { minLength: Number.POSITIVE_INFINITY })
    flush()
    const { _bufs: left = [] } = destination as { _bufs?: string[] }
    // Else the library would write them again.
    Object.assign(destination, { _bufs: [], flushSync: () => {} })
    flushOnExit(left)
  })
  // With bigint: Node's realpath looks at the plain numbers of the last stat, and after one of a pipe it leaves links
  // unresolved. Packages behind a link would then be loaded twice.
  const maxWrite = fstatSync(2, { bigint: true }).isFile() ? fileWriteBytesMax : pipeWriteBytesMax
  const destination = pino.destination({ dest: 2, sync: false, maxWrite })

  return {
    write: line => {
      lines.push(line)
      characters += line.length
      if (characters >= maxWrite / 2) flush()
      else timer ??= setTimeout(flush, flushIntervalMs).unref()
    }
  }
}

/** The library's own flush would retry for ever if nothing reads the pipe any more, and the process would never end. */
function flushOnExit(lines: string[]): void {
  let bytes = Buffer.from(lines.join(''))
  for (let pauses = 0; bytes.length > 0 && pauses < lastPausesMax; ) {
    try {
      bytes = bytes.subarray(writeSync(2, bytes))
    } catch (error) {
      // The reader is gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      pauses += 1
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastPauseMs)
    }
  }
}

const lastPauseMs = 50
const lastPausesMax = 40

let lastMs = 0
let lastTime = ''

/** The time in ISO format, made once a millisecond: a busy server writes several lines in one. */
function formatTime(): string {
  const now = Math.trunc(performance.now())
  if (now !== lastMs) {
    lastMs = now
    lastTime = `,"time":"${new Date().toISOString()}"`
  }
  return lastTime
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
