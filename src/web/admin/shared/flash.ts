import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Cookies } from '../../server/cookies.ts'

/** A message for the next page, with an undo button if there is one. */
export interface Flash {
  text: string
  tone?: 'good' | 'bad'
  undo?: Undo
}

export interface Undo {
  kind: UndoKind
  /** Path parameters, by the names in `undoActions`. */
  params: Record<string, string>
  fields: Record<string, string>
}

/** Valid path parameter: an id. */
const id = /^[\w-]{1,64}$/
/** Return path: the query of a list. The handler validates it again. */
const back = /^[^\r\n]{0,2000}$/
const name = /^.{0,1000}$/su
const restored = { back, status: /^[a-z]{0,20}$/ }

/** Allow-list of undo actions. Nothing else is ever offered, even with a valid signature. */
const undoActions = {
  'restore-event': { path: '/admin/events/:id/restore', fields: { ...restored, title: name } },
  'undo-bulk-action': { path: '/admin/events/bulk/:id/undo', fields: { back } },
  'restore-venue': { path: '/admin/venues/:id/restore', fields: { ...restored, name } },
  'restore-organizer': { path: '/admin/organizers/:id/restore', fields: { ...restored, name } },
  'restore-campaign': { path: '/admin/campaigns/:id/restore', fields: { name } },
  'restore-note': { path: '/admin/donations/:campaign/:donation/notes', fields: { text: /^.{1,300}$/su } },
  'revert-entry': {
    path: '/admin/statements/:id/entries/:entry',
    fields: { do: /^(?:back|unignore)$/, back }
  },
  'undo-merge': { path: '/admin/donors/:id/merges/:merge/undo', fields: {} },
  'undo-donations': { path: '/admin/donations/undo', fields: { changes: /^[\w ,-]{1,20000}$/, back } }
} satisfies Record<string, { path: string; fields: Record<string, RegExp> }>

export type UndoKind = keyof typeof undoActions

/** Form of the undo button; undefined for actions that are not allowed. */
export function buildUndoForm({ kind, params, fields }: Undo): UndoForm | undefined {
  if (!Object.hasOwn(undoActions, kind)) return undefined
  const action: { path: string; fields: Record<string, RegExp> } = undoActions[kind]
  const isPath = [...action.path.matchAll(/:(\w+)/g)].every(([, part = '']) => id.test(params[part] ?? ''))
  const given = Object.entries(fields)
  if (!isPath || !given.every(([field, value]) => action.fields[field]?.test(value) === true)) return undefined
  return { action: action.path.replace(/:(\w+)/g, (_, part: string) => params[part] ?? ''), fields }
}

export interface UndoForm {
  action: string
  fields: Record<string, string>
}

export const flashCookie = 'kalends_flash'
const flashSeconds = 60
const proofLength = 32

export function setFlash(cookies: Cookies, session: string, notice: Flash): void {
  cookies.set(flashCookie, signFlash(session, JSON.stringify(notice)), flashSeconds)
}

/** Reads the flash message of this session. Only a rendered page removes it. */
export function takeFlash(cookies: Cookies, session: string, isShown: boolean): Flash | undefined {
  const signed = cookies.get(flashCookie)
  if (signed === undefined || signed === '') return undefined
  if (isShown) cookies.remove(flashCookie)
  const text = signed.slice(proofLength)
  if (!isSameText(signed, signFlash(session, text))) return undefined
  try {
    return parseFlash(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Sibling domains can set cookies for ours: the session is the HMAC key, so that forged messages are ignored. */
export function signFlash(session: string, text: string): string {
  const proof = createHmac('sha256', session).update(`notice ${text}`).digest('hex').slice(0, proofLength)
  return proof + text
}

/** Ignores data in the format of an earlier version. */
function parseFlash(given: unknown): Flash | undefined {
  const { text, tone, undo } = (given ?? {}) as Partial<Flash>
  if (typeof text !== 'string') return undefined
  const notice: Flash = { text, ...(tone === 'bad' ? { tone } : {}) }
  return isUndo(undo) && buildUndoForm(undo) !== undefined ? { ...notice, undo } : notice
}

function isUndo(given: unknown): given is Undo {
  const { kind, params, fields } = (given ?? {}) as Partial<Undo>
  return typeof kind === 'string' && isTextRecord(params) && isTextRecord(fields)
}

function isTextRecord(given: unknown): given is Record<string, string> {
  return (
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.values(given).every(value => typeof value === 'string')
  )
}

export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
