/** The API's response to a sign-in. */
export interface NewSession {
  token: string
  expiresAt: string
  deviceToken?: string
}
