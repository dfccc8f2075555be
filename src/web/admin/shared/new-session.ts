/** What the API answers to somebody who signs in. */
export interface NewSession {
  token: string
  expiresAt: string
  deviceToken?: string
}
