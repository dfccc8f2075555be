import { Problem } from '../../problem.ts'

export const newPasskeyExpiredProblem = () =>
  new Problem(409, 'passkey-expired', {
    en: 'This took too long, or was sent twice. Please try again.',
    de: 'Das hat zu lange gedauert oder wurde zweimal gesendet. Bitte noch einmal versuchen.'
  })

export const newPasskeyRefusedProblem = () =>
  new Problem(422, 'passkey-refused', {
    en: 'What the device answered is not valid for this site. Please try again.',
    de: 'Was das Gerät geantwortet hat, gilt für diese Website nicht. Bitte noch einmal versuchen.'
  })

export const newPasskeyUnknownProblem = () =>
  new Problem(401, 'wrong-passkey', {
    en: 'This passkey is not known here. Sign in with your password instead.',
    de: 'Dieser Passkey ist hier nicht bekannt. Bitte stattdessen mit dem Passwort anmelden.'
  })

export const newPasskeyClonedProblem = () =>
  new Problem(401, 'passkey-cloned', {
    en: 'There may be a copy of this passkey, so it is not accepted any more. Sign in with your password and remove it.',
    de: 'Von diesem Passkey gibt es möglicherweise eine Kopie, deshalb gilt er nicht mehr. Bitte mit dem Passwort anmelden und ihn entfernen.'
  })

export const newPasskeyKnownProblem = () =>
  new Problem(409, 'passkey-known', {
    en: 'This device has a passkey for this site already.',
    de: 'Dieses Gerät hat schon einen Passkey für diese Website.'
  })

export const newTooManyPasskeysProblem = (most: number) =>
  new Problem(409, 'too-many-passkeys', {
    en: `You have ${most} passkeys already: remove one first.`,
    de: `Sie haben schon ${most} Passkeys: Bitte zuerst einen entfernen.`
  })

export const newPasskeyNotFoundProblem = (id: number) =>
  new Problem(404, 'passkey-not-found', { en: `You have no passkey ${id}.`, de: `Sie haben keinen Passkey ${id}.` })
