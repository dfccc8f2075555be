import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Anything shaped like an IBAN, with or without blanks, also inside longer text. */
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/gi

/** The text with account numbers blacked out: what reaches a log goes through here. */
export function withoutIbans(text: string): string {
  return text.replace(iban, '[IBAN]')
}

/** JSON lines on standard error; no body, header, account number or row value is ever logged. */
export function newLog(level: string): pino.Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorForLog } },
    pino.destination({ dest: 2, sync: true })
  )
}

/** PostgreSQL's `detail` quotes whole rows, so only the fields named here are kept. */
function errorForLog(error: Error & { code?: unknown; constraint?: unknown }): object {
  return {
    type: error.name,
    message: withoutIbans(error.message),
    code: error.code,
    constraint: error.constraint,
    stack: withoutIbans(error.stack ?? ''),
    cause: error.cause instanceof Error ? errorForLog(error.cause) : undefined
  }
}
