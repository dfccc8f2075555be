import type { Visit } from '../../visit.ts'

/** Which sign-in waits for its second step: the password itself stays nowhere. */
const attemptCookie = 'kalends_sign_in'
const attemptSeconds = 300

export const attemptIn = ({ cookies }: Visit) => cookies.get(attemptCookie) ?? ''

/** An empty one is forgotten. */
export function rememberAttempt({ cookies }: Visit, attempt: string): void {
  if (attempt === '') cookies.remove(attemptCookie)
  else cookies.set(attemptCookie, attempt, attemptSeconds)
}
