const levels: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

interface LoggedError {
  message?: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/** Converts a JSON line of the log to text for people: local time, level, message, the other fields, and any stack below. */
export function formatLogLine(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown> & { err?: LoggedError }
  const words = [
    formatTime(new Date(String(time))),
    (levels[Number(level)] ?? String(level)).padEnd(5),
    ...(msg === 'request' ? listRequestWords(fields) : [String(msg), ...listFields(fields)]),
    ...(err?.message === undefined ? [] : [`(${err.message})`])
  ]
  return `${[words.join(' '), ...listStackLines(err)].map(escapeControlCharacters).join('\n')}\n`
}

function formatTime(time: Date): string {
  const pad = (number: number, length = 2) => String(number).padStart(length, '0')
  return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`
}

function listRequestWords({ method, path, status, ms, caller, client, ...others }: Record<string, unknown>): string[] {
  const from = client === undefined ? [] : [`from ${client}`]
  return [`${method} ${path} ${status} ${ms} ms`, `by ${caller}`, ...from, ...listFields(others)]
}

function listFields(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  )
}

function listStackLines(error: LoggedError | undefined): string[] {
  if (error === undefined) return []
  const own = (error.stack ?? '').split('\n').map(line => `    ${line.trim()}`)
  return error.cause === undefined ? own : [...own, '    caused by:', ...listStackLines(error.cause)]
}

/** Paths and names come from others: on a terminal they must not move the cursor or reverse the text. */
function escapeControlCharacters(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  )
}
