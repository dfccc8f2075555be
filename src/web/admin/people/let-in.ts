import type { Door } from '../console.ts'

/** What the API answers to somebody who signs in. */
export interface NewSession {
  token: string
  expiresAt: string
}

/** Sessions live on while they are used, up to this: the server decides, so the cookie must not go before it. */
const longestSessionMs = 90 * 86_400_000

export function letIn(door: Door, token: string): void {
  door.letIn(token, new Date(Date.now() + longestSessionMs).toISOString())
}
