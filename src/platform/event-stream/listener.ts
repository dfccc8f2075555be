import { Readable } from 'node:stream'
import { buildPublicData } from '../activity/public-representation.ts'
import { type Caller, hasRole } from '../caller.ts'
import type { ActivityType } from '../http/service.ts'
import type { RecordedActivity } from './queries.ts'
import { formatPosition, isBehind, type StreamPosition } from './schema.ts'

/** Nobody has more waiting than this and one message: who is slow hears the rest when this is read. */
const waitingBytesMax = 262_144

/** How long a browser waits before it comes again. */
const retryMs = 3000

const resetReason = 'The last id is not known here, or too old. Load anew what you show.'

/** Somebody who listens. */
export interface Listener {
  /** What is sent to them. */
  readonly stream: Readable
  /** What links in what they hear begin with. */
  readonly origin: string
  caller: Caller
  /** Of what was recorded up to here they have heard; undefined before they were let in. */
  position: StreamPosition | undefined
  /** Hears from the record what was missed, as fast as they read, and not yet what happens now. */
  isCatchingUp: boolean
  /** Is there room behind so many characters that are to be sent? */
  hasCapacity(characters?: number): boolean
  getAudience(row: RecordedActivity, subject: ActivityType | undefined): Audience
  send(text: string): void
  /** Sends what is on its way, and no more. */
  end(): void
  /**
   * Tells where they are, so that they can go on from there; and some proxies cut a connection where nothing passes. Who has
   * read nothing since the last time, although something was there, is not there any more and is cut off.
   */
  sendHeartbeat(): void
  /** Cannot hear what was missed, and has to look at everything anew; from here on they hear all. */
  reset(position: StreamPosition): void
}

/** As whom somebody hears of something. */
type Audience = 'nobody' | 'the public' | 'readers' | 'admins'

export interface StreamFilter {
  /** Actions, and kinds of things with `.*` behind; undefined for all. */
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
  /** Called when somebody who is catching up has read what there was. */
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

/** A row as each audience hears it, put into words when the first of them does. */
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
