import { buildText } from '../messages/messages.ts'
import { newFieldProblem } from '../problem.ts'

/** A public form that may require a proof of work: its field for the proof, and where its challenges come from. */
export interface ProofPurpose {
  /** Part of the signing key. */
  name: 'challenges' | 'challenges for suggestions'
  field: string
  challengePath: string
}

export const newProofMissingProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(
    422,
    `/${field}`,
    'proof-of-work',
    buildText('request-problems', 'proofMissing', { field, challengePath })
  )

export const newInvalidProofProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(
    422,
    `/${field}`,
    'proof-of-work',
    buildText('request-problems', 'invalidProof', { field, challengePath })
  )

export const newProofExpiredProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(
    422,
    `/${field}`,
    'proof-of-work',
    buildText('request-problems', 'proofExpired', { field, challengePath })
  )

export const newProofUsedProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(
    422,
    `/${field}`,
    'proof-of-work',
    buildText('request-problems', 'proofUsed', { field, challengePath })
  )

/** Honeypot: people do not see the field, so only bots fill it in. */
export function rejectHoneypot(field: string, value: string | null | undefined): void {
  if (value === undefined || value === null || value === '') return
  throw newFieldProblem(422, `/${field}`, 'not-a-person', buildText('request-problems', 'notAPerson', { field }))
}
