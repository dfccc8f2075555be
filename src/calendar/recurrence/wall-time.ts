import type { LocalDateTime } from '../time/time.ts'

/** A local time in milliseconds, as if it were UTC. */
export type WallTime = number

export function formatWallTime(wall: WallTime): LocalDateTime {
  const text = new Date(wall).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

export function parseWallTime(local: LocalDateTime): WallTime {
  return Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`)
}

/** `20270301`. */
export function formatBasicDate(wall: WallTime): string {
  return formatWallTime(wall).slice(0, 10).replaceAll('-', '')
}

/** `20270301T193000`, with or without Z, or `20270301`. */
export function parseBasicTime(text: string): WallTime | undefined {
  const form = /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?Z?)?\s*$/i
  const [whole, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = form.exec(text) ?? []
  if (whole === undefined) return undefined
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Math.min(Number(second), 59)
  )
  // Rejects dates such as 30 February, and 24:00.
  return formatWallTime(wall).startsWith(`${year}-${month}-${day} ${hour}:${minute}`) && wall >= earliest
    ? wall
    : undefined
}

/** Outlook starts its zones in 1601. */
const earliest = Date.UTC(1600, 0, 1)
