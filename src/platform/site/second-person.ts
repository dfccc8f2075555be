import type { Role } from '../caller.ts'
import type { Database } from '../database/database.ts'
import type { Text } from '../language.ts'
import { buildText } from '../messages/messages.ts'
import { type FieldError, Problem } from '../problem.ts'
import * as site from './queries.ts'

/** Roles that can confirm changes which another person requested. */
export const confirmingRoles: readonly Role[] = ['admin', 'treasurer']

/** A second person confirmed the change; holds who requested it, as named in the activity log. */
export interface Approval {
  askedBy: string
}

/** Changes that need a second person, if the organisation enables the rule. */
export type GuardedChange = 'campaign-account' | 'new-campaign' | 'site-account' | 'turn-off'

/** The one rule for every change of an IBAN: refused without a second person, if the organisation enables it. */
export async function requireSecondPerson(
  tx: Database,
  change: GuardedChange,
  approval: Approval | undefined
): Promise<void> {
  if (approval === undefined && (await site.isSecondPersonNeeded(tx))) throw newSecondPersonNeededProblem(change)
}

/** The rule cannot be enabled if there would be nobody else to confirm. */
export async function refuseTooFewPeople(tx: Database): Promise<void> {
  if ((await site.countPeople(tx, confirmingRoles)) < 2) throw newTooFewPeopleProblem()
}

const pointers: Record<GuardedChange, string> = {
  'campaign-account': '/account/iban',
  'new-campaign': '/account/iban',
  'site-account': '/account/iban',
  'turn-off': '/secondPersonForAccounts'
}

function newSecondPersonNeededProblem(change: GuardedChange): Problem {
  return newConflictProblem('second-person-needed', pointers[change], buildText('site-problems', change))
}

function newTooFewPeopleProblem(): Problem {
  return newConflictProblem('too-few-people', '/secondPersonForAccounts', buildText('site-problems', 'tooFewPeople'))
}

function newConflictProblem(code: string, pointer: string, message: Text): Problem {
  const error: FieldError = { in: 'body', pointer, code, message }
  return new Problem(409, code, message, { errors: [error] })
}
