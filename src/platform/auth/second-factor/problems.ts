import { newFieldProblem, Problem } from '../../problem.ts'
import type { FactorKind } from './schema.ts'

/** The password was correct. `attempt` is valid for minutes, and for one session. */
export const newSecondFactorRequiredProblem = (factors: FactorKind[], attempt: string) =>
  new Problem(
    401,
    'second-factor-required',
    {
      en: 'This user account has a second factor. Send its code as well.',
      de: 'Dieser Zugang hat einen zweiten Faktor. Bitte auch dessen Code senden.'
    },
    { data: { factors, attempt } }
  )

export const newWrongCodeProblem = () =>
  new Problem(401, 'wrong-second-factor', {
    en: 'The code is wrong or was already used. Wait for the next one.',
    de: 'Der Code ist falsch oder wurde schon benutzt. Bitte auf den nächsten warten.'
  })

export const newSignInExpiredProblem = () =>
  new Problem(401, 'sign-in-expired', {
    en: 'The sign-in has expired or is already completed. Please sign in again.',
    de: 'Die Anmeldung ist abgelaufen oder schon abgeschlossen. Bitte neu anmelden.'
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
    en: 'code is wrong or was already used. Wait for the next one.',
    de: 'code ist falsch oder wurde schon benutzt. Bitte auf den nächsten warten.'
  })

export const newWrongCurrentPasswordProblem = () =>
  newFieldProblem(422, '/currentPassword', 'wrong-password', {
    en: 'currentPassword is wrong.',
    de: 'currentPassword ist falsch.'
  })

export const newProofMissingProblem = () =>
  newFieldProblem(422, '/currentPassword', 'proof-missing', {
    en: 'currentPassword or code is required.',
    de: 'currentPassword oder code fehlt.'
  })

export const newTotpAlreadySetUpProblem = () =>
  new Problem(409, 'totp-already-set-up', {
    en: 'You already have an authenticator app. Remove it first.',
    de: 'Sie haben schon eine Authenticator-App. Bitte entfernen Sie sie zuerst.'
  })

export const newTotpNotStartedProblem = () =>
  new Problem(409, 'totp-not-started', {
    en: 'No authenticator app is waiting for confirmation. Start the setup again.',
    de: 'Keine Authenticator-App wartet auf Bestätigung. Bitte die Einrichtung neu beginnen.'
  })

export const newAccountNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', { en: `User ${id} not found.`, de: `Zugang ${id} nicht gefunden.` })

/** For sessions of users whose role requires a second factor that they do not have. */
export const newEnrolmentRequiredProblem = () =>
  new Problem(403, 'second-factor-enrolment-required', {
    en: 'Your role requires a second factor. Set one up first; until then you can access only your own user account.',
    de: 'Für Ihre Rolle ist ein zweiter Faktor vorgeschrieben. Bitte richten Sie zuerst einen ein: Bis dahin ist nur Ihr eigener Zugang erreichbar.'
  })

export const newFactorMissingProblem = () =>
  new Problem(409, 'no-second-factor', {
    en: 'Second factor not found.',
    de: 'Zweiter Faktor nicht gefunden.'
  })
