import { enrolmentRequired } from './problems.ts'

/** What is open to somebody who has to set up a second factor first: their own account, and the way out. */
const ownRoute = /^\/(?:users\/me|sessions)(?:\/|$)/

/** `route` is undefined where there is none. */
export function refuseUntilEnrolled({ needsFactor }: { needsFactor?: boolean }, route: string | undefined): void {
  if (needsFactor === true && !ownRoute.test(route ?? '')) throw enrolmentRequired()
}
