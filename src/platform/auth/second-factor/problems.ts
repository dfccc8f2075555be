import { newFieldProblem, Problem } from '../../problem.ts'
import type { FactorKind } from './schema.ts'

/** The password was correct. `attempt` is valid for minutes, and for one session. */
export const newSecondFactorRequiredProblem = (factors: FactorKind[], attempt: string) =>
  new Problem(
    401,
    'second-factor-required',
    {
      en: 'This account has a second factor: send its code too.',
      de: 'Dieser Zugang hat einen zweiten Faktor: Bitte auch dessen Code senden.'
    },
    { data: { factors, attempt } }
  )

export const newWrongCodeProblem = () =>
  new Problem(401, 'wrong-second-factor', {
    en: 'The code is wrong, or it was used before. Wait for the next one.',
    de: 'Der Code ist falsch oder wurde schon benutzt. Bitte auf den nächsten warten.'
  })

export const newSignInExpiredProblem = () =>
  new Problem(401, 'sign-in-expired', {
    en: 'This took too long, or was finished before. Please sign in again.',
    de: 'Das hat zu lange gedauert oder ist schon abgeschlossen. Bitte neu anmelden.'
  })

export const newTooManyCodesProblem = (seconds: number) =>
  new Problem(
    429,
    'too-many-codes',
    {
      en: `Too many wrong codes or passwords. Try again in ${seconds} seconds.`,
      de: `Zu viele falsche Codes oder Passwörter. Bitte in ${seconds} Sekunden noch einmal versuchen.`
    },
    { headers: { 'retry-after': String(seconds) } }
  )

export const newWrongCodeFieldProblem = () =>
  newFieldProblem(422, '/code', 'wrong-code', {
    en: 'code is wrong, or was used before. Wait for the next one.',
    de: 'code ist falsch oder wurde schon benutzt. Bitte auf den nächsten warten.'
  })

export const newWrongCurrentPasswordProblem = () =>
  newFieldProblem(422, '/currentPassword', 'wrong-password', {
    en: 'currentPassword is not your password.',
    de: 'currentPassword ist nicht Ihr Passwort.'
  })

export const newProofMissingProblem = () =>
  newFieldProblem(422, '/currentPassword', 'proof-missing', {
    en: 'currentPassword or code must show that it is you.',
    de: 'currentPassword oder code muss zeigen, dass Sie es sind.'
  })

export const newTotpAlreadySetUpProblem = () =>
  new Problem(409, 'totp-already-set-up', {
    en: 'You have an authenticator app already: remove it first.',
    de: 'Sie haben schon eine Authenticator-App: Bitte zuerst entfernen.'
  })

export const newTotpNotStartedProblem = () =>
  new Problem(409, 'totp-not-started', {
    en: 'There is no authenticator app to confirm: begin again.',
    de: 'Es gibt keine Authenticator-App zu bestätigen: Bitte neu beginnen.'
  })

export const newAccountNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', { en: `There is no user ${id}.`, de: `Den Zugang ${id} gibt es nicht.` })

/** For sessions of users whose role requires a second factor that they do not have. */
export const newEnrolmentRequiredProblem = () =>
  new Problem(403, 'second-factor-enrolment-required', {
    en: 'Your role needs a second factor. Set one up first: until then only your own account is open to you.',
    de: 'Für Ihre Rolle ist ein zweiter Faktor vorgeschrieben. Bitte richten Sie zuerst einen ein: Bis dahin ist nur Ihr eigener Zugang erreichbar.'
  })

export const newFactorMissingProblem = () =>
  new Problem(409, 'no-second-factor', {
    en: 'You have no such second factor.',
    de: 'Sie haben keinen solchen zweiten Faktor.'
  })
