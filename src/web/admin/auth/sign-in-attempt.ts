import type { PageContext } from '../../server/context.ts'

/** Id of the sign-in that waits for its second factor: the password itself is stored nowhere. */
const attemptCookie = 'kalends_sign_in'
const attemptSeconds = 300

export const getSignInAttempt = ({ cookies }: PageContext) => cookies.get(attemptCookie) ?? ''

/** An empty value clears the cookie. */
export function setSignInAttempt({ cookies }: PageContext, attempt: string): void {
  if (attempt === '') cookies.remove(attemptCookie)
  else cookies.set(attemptCookie, attempt, attemptSeconds)
}
