import { Readable } from 'node:stream'
import { buildPublicData } from '../activity/public-representation.ts'
import { type Caller, hasRole } from '../caller.ts'
import type { ActivityType } from '../http/service.ts'
import type { RecordedActivity } from './queries.ts'
import { formatPosition, isBehind, type StreamPosition } from './schema.ts'

/** Buffer limit per listener, plus one message: a slow client gets the rest once it has read this. */
const waitingBytesMax = 262_144

/** How long a browser waits before it reconnects. */
const retryMs = 3000

const resetReason = 'The last id is unknown or too old. Load the data again.'

/** An open event stream. */
export interface Listener {
  /** The response body. */
  readonly stream: Readable
  /** The origin of links in events. */
  readonly origin: string
  caller: Caller
  /** The client has received events up to this position; undefined before it is admitted. */
  position: StreamPosition | undefined
  /** Gets missed rows at the client's reading speed, and no new ones yet. */
  isCatchingUp: boolean
  /** True if the buffer has capacity after so many further characters. */
  hasCapacity(characters?: number): boolean
  getAudience(row: RecordedActivity, subject: ActivityType | undefined): Audience
  send(text: string): void
  /** Ends the stream after the buffered events. */
  end(): void
  /**
   * Sends the position, so that the client can resume from it, and because some proxies close idle connections.
   * Destroys the stream of a client that has read nothing since the last heartbeat although data was buffered.
   */
  sendHeartbeat(): void
  /** Tells the client that it missed events and has to reload everything; new events follow. */
  reset(position: StreamPosition): void
}

/** Decides how much of a row the listener may see. */
type Audience = 'nobody' | 'the public' | 'readers' | 'admins'

export interface StreamFilter {
  /** Actions, or subjects with `.*` appended; undefined for all. */
  actions: string[] | undefined
  subject: string | undefined
  subjectId: string | undefined
}

export function newListener({
  caller,
  origin,
  interest,
  onRoom
}: {
  caller: Caller
  origin: string
  interest: StreamFilter
  /** Called when a listener that is catching up has read its buffer. */
  onRoom: () => void
}): Listener {
  const read = () => {
    if (listener.isCatchingUp) onRoom()
  }
  const stream = new Readable({ read, highWaterMark: waitingBytesMax })
  let sentBytes = 0
  let takenBytes = -1
  let isOver = false

  const listener: Listener = {
    stream,
    origin,
    caller,
    position: undefined,
    isCatchingUp: true,
    hasCapacity: (characters = 0) => stream.readableLength + characters < waitingBytesMax,

    getAudience: (row, subject) => {
      if (!isMatch(interest, row)) return 'nobody'
      if (listener.position !== undefined && !isBehind(listener.position, row)) return 'nobody'
      if (listener.caller.role === 'admin') return 'admins'
      if (hasRole(listener.caller, ...(subject?.readerRoles ?? []))) return 'readers'
      return subject?.publicActions?.includes(row.action) === true ? 'the public' : 'nobody'
    },

    send: text => {
      if (isOver || stream.destroyed || text === '') return
      const bytes = Buffer.from(text)
      sentBytes += bytes.length
      stream.push(bytes)
    },

    end: () => {
      if (isOver) return
      isOver = true
      stream.push(null)
    },

    sendHeartbeat: () => {
      const taken = sentBytes - stream.readableLength
      if (taken === takenBytes && stream.readableLength > 0) stream.destroy()
      takenBytes = taken
      listener.send(listener.position === undefined ? ':\n\n' : `id: ${formatPosition(listener.position)}\n\n`)
    },

    reset: position => {
      listener.position = position
      listener.isCatchingUp = false
      const message = { type: 'reset', timestamp: new Date().toISOString(), data: { reason: resetReason } }
      listener.send(`id: ${formatPosition(position)}\nevent: reset\ndata: ${JSON.stringify(message)}\n\n`)
    }
  }
  listener.send(`retry: ${retryMs}\n\n`)
  return listener
}

function isMatch({ actions, subject, subjectId }: StreamFilter, row: RecordedActivity): boolean {
  if (subject !== undefined && subject !== row.subject) return false
  if (subjectId !== undefined && subjectId !== row.subjectId) return false
  return actions === undefined || actions.includes(row.action) || actions.includes(`${row.subject}.*`)
}

/** Serializes a row for each audience, once and on first use. */
export function newSerializer(row: RecordedActivity, item: object | undefined): (audience: Audience) => string {
  const message = { type: row.action, timestamp: row.at, data: buildPublicData(row, item) }
  const formatEvent = (content: object) =>
    `id: ${formatPosition(row)}\nevent: ${row.action}\ndata: ${JSON.stringify(content)}\n\n`
  let publicText: string | undefined
  let adminText: string | undefined
  return audience => {
    if (audience === 'nobody' || (audience === 'the public' && item === undefined)) return ''
    if (audience !== 'admins') {
      publicText ??= formatEvent(message)
      return publicText
    }
    const { tx: _, ...activity } = row
    adminText ??= formatEvent({ ...message, activity })
    return adminText
  }
}
