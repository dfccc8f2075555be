import { newEnrolmentRequiredProblem } from './problems.ts'

/** Routes that stay open to a user who has to set up a second factor first: the own account, and signing out. */
const ownAccountPattern = /^\/(?:users\/me|sessions)(?:\/|$)/

/** `route` is undefined if no route matched. */
export function requireEnrolment({ needsFactor }: { needsFactor?: boolean }, route: string | undefined): void {
  if (needsFactor === true && !ownAccountPattern.test(route ?? '')) throw newEnrolmentRequiredProblem()
}
