import type { Text } from '../language.ts'
import { newFieldProblem } from '../problem.ts'

/** A public form that may require a proof of work: its field for the proof, and where its challenges come from. */
export interface ProofPurpose {
  /** Part of the signing key. */
  name: 'challenges' | 'challenges for suggestions'
  field: string
  challengePath: string
}

const newProofProblem = ({ field }: ProofPurpose, message: Text) =>
  newFieldProblem(422, `/${field}`, 'proof-of-work', message)

export const newProofMissingProblem = (purpose: ProofPurpose) =>
  newProofProblem(purpose, {
    en: `${purpose.field} is required: get a challenge with GET ${purpose.challengePath}.`,
    de: `${purpose.field} fehlt: Bitte eine Aufgabe mit GET ${purpose.challengePath} abrufen.`
  })

export const newInvalidProofProblem = (purpose: ProofPurpose) =>
  newProofProblem(purpose, {
    en: `${purpose.field} must be a challenge of GET ${purpose.challengePath} with its solution.`,
    de: `${purpose.field} muss eine Aufgabe von GET ${purpose.challengePath} mit ihrer Lösung sein.`
  })

export const newProofExpiredProblem = (purpose: ProofPurpose) =>
  newProofProblem(purpose, {
    en: `${purpose.field} has expired. Get a new challenge (GET ${purpose.challengePath}).`,
    de: `${purpose.field} ist abgelaufen. Bitte eine neue Aufgabe abrufen (GET ${purpose.challengePath}).`
  })

export const newProofUsedProblem = (purpose: ProofPurpose) =>
  newProofProblem(purpose, {
    en: `${purpose.field} was already used. Get a new challenge for each request (GET ${purpose.challengePath}).`,
    de: `${purpose.field} wurde schon verwendet. Bitte für jede Anfrage eine neue Aufgabe abrufen (GET ${purpose.challengePath}).`
  })

/** Honeypot: people do not see the field, so only bots fill it in. */
export function rejectHoneypot(field: string, value: string | null | undefined): void {
  if (value === undefined || value === null || value === '') return
  throw newFieldProblem(422, `/${field}`, 'not-a-person', {
    en: `${field} must be empty (honeypot field).`,
    de: `${field} muss leer sein (Feld zur Abwehr von Spam).`
  })
}
