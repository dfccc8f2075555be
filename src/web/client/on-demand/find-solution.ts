import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/** Computes a proof of work. Loaded when the form gets the focus. */
export async function findSolution(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('no solution')
  return solution
}
