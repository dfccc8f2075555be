import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type ApiResponse } from '../server/api-client.ts'
import { getFormField, type PageContext } from '../server/context.ts'

/** People need longer than this to fill in a form; bots do not. */
const fillTimeMs = 2000
/** A second click arrives while the first request is still running: it retries until it gets the same response. */
const [waitMs, waitsMax] = [250, 12]

/** Hidden fields of a public form. */
export interface FormGuard {
  /** Idempotency key: the same form cannot be sent twice. */
  key: string
  /** When the form was first shown, in milliseconds. */
  started: number
}

export function newFormGuard(now: Date): FormGuard {
  return { key: newFormKey(), started: now.getTime() }
}

export function newFormKey(): string {
  return randomBytes(16).toString('base64url')
}

/** A form without key or start time was not rendered by us, or was truncated: it gets new ones. */
export function parseFormGuard(context: PageContext): FormGuard {
  const key = getFormField(context, 'key')
  return {
    key: isFormKey(key) ? key : newFormKey(),
    started: parseStartTime(context) ?? context.now.getTime() - fillTimeMs
  }
}

/** Whether the form was shown long enough for a person to fill it in. */
export function hasBeenShown(context: PageContext): boolean {
  const started = parseStartTime(context)
  return (
    started !== undefined && context.now.getTime() - started >= fillTimeMs && isFormKey(getFormField(context, 'key'))
  )
}

/** Sends the form to the API once, however often it is submitted. */
export async function postOnce<Body>(
  { api }: PageContext,
  path: string,
  body: object,
  key: string
): Promise<ApiResponse<Body>> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await api.post<Body>(path, body, { 'idempotency-key': key })
    } catch (error) {
      const isInFlight = error instanceof ApiError && error.code === 'idempotency-key-in-flight'
      if (!isInFlight || waits === waitsMax) throw error
      await wait(waitMs)
    }
  }
}

const isFormKey = (key: string) => /^[\w-]{16,64}$/.test(key)

function parseStartTime(context: PageContext): number | undefined {
  const text = getFormField(context, 'started')
  const started = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return started <= context.now.getTime() ? started : undefined
}
