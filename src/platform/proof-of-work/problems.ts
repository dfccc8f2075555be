import { newFieldProblem } from '../problem.ts'

/** A public form that may require a proof of work: its field for the proof, and where its challenges come from. */
export interface ProofPurpose {
  /** Part of the signing key. */
  name: 'challenges' | 'challenges for suggestions'
  field: string
  challengePath: string
}

export const newProofMissingProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(422, `/${field}`, 'proof-of-work', {
    en: `${field} is required: get a challenge with GET ${challengePath}.`,
    de: `${field} fehlt: Bitte eine Aufgabe mit GET ${challengePath} abrufen.`
  })

export const newInvalidProofProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(422, `/${field}`, 'proof-of-work', {
    en: `${field} must be a challenge of GET ${challengePath} with its solution.`,
    de: `${field} muss eine Aufgabe von GET ${challengePath} mit ihrer Lösung sein.`
  })

export const newProofExpiredProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(422, `/${field}`, 'proof-of-work', {
    en: `${field} has expired. Get a new challenge (GET ${challengePath}).`,
    de: `${field} ist abgelaufen. Bitte eine neue Aufgabe abrufen (GET ${challengePath}).`
  })

export const newProofUsedProblem = ({ field, challengePath }: ProofPurpose) =>
  newFieldProblem(422, `/${field}`, 'proof-of-work', {
    en: `${field} was already used. Get a new challenge for each request (GET ${challengePath}).`,
    de: `${field} wurde schon verwendet. Bitte für jede Anfrage eine neue Aufgabe abrufen (GET ${challengePath}).`
  })

/** Honeypot: people do not see the field, so only bots fill it in. */
export function rejectHoneypot(field: string, value: string | null | undefined): void {
  if (value === undefined || value === null || value === '') return
  throw newFieldProblem(422, `/${field}`, 'not-a-person', {
    en: `${field} must be empty (honeypot field).`,
    de: `${field} muss leer sein (Feld zur Abwehr von Spam).`
  })
}
