import type { PageContext } from '../../server/context.ts'

/** Which sign-in waits for its second step: the password itself stays nowhere. */
const attemptCookie = 'kalends_sign_in'
const attemptSeconds = 300

export const getSignInAttempt = ({ cookies }: PageContext) => cookies.get(attemptCookie) ?? ''

/** An empty one is forgotten. */
export function setSignInAttempt({ cookies }: PageContext, attempt: string): void {
  if (attempt === '') cookies.remove(attemptCookie)
  else cookies.set(attemptCookie, attempt, attemptSeconds)
}
