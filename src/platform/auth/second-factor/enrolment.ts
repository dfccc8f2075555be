import { newEnrolmentRequiredProblem } from './problems.ts'

/** What is open to somebody who has to set up a second factor first: their own account, and the way out. */
const ownAccountPattern = /^\/(?:users\/me|sessions)(?:\/|$)/

/** `route` is undefined where there is none. */
export function requireEnrolment({ needsFactor }: { needsFactor?: boolean }, route: string | undefined): void {
  if (needsFactor === true && !ownAccountPattern.test(route ?? '')) throw newEnrolmentRequiredProblem()
}
