import { Problem } from '../../problem.ts'

export const newPasskeyExpiredProblem = () =>
  new Problem(409, 'passkey-expired', {
    en: 'The challenge has expired or was already used. Please try again.',
    de: 'Die Anfrage ist abgelaufen oder wurde schon benutzt. Bitte noch einmal versuchen.'
  })

export const newPasskeyRefusedProblem = () =>
  new Problem(422, 'passkey-refused', {
    en: 'The response of the device is not valid for this site. Please try again.',
    de: 'Die Antwort des Geräts ist für diese Website nicht gültig. Bitte noch einmal versuchen.'
  })

export const newPasskeyUnknownProblem = () =>
  new Problem(401, 'wrong-passkey', {
    en: 'Unknown passkey. Sign in with your password instead.',
    de: 'Unbekannter Passkey. Bitte stattdessen mit dem Passwort anmelden.'
  })

export const newPasskeyClonedProblem = () =>
  new Problem(401, 'passkey-cloned', {
    en: 'This passkey may have been cloned and is no longer accepted. Sign in with your password and remove it.',
    de: 'Von diesem Passkey gibt es möglicherweise eine Kopie, deshalb gilt er nicht mehr. Bitte mit dem Passwort anmelden und ihn entfernen.'
  })

export const newPasskeyKnownProblem = () =>
  new Problem(409, 'passkey-known', {
    en: 'This device already has a passkey for this site.',
    de: 'Dieses Gerät hat schon einen Passkey für diese Website.'
  })

export const newTooManyPasskeysProblem = (most: number) =>
  new Problem(409, 'too-many-passkeys', {
    en: `You already have ${most} passkeys, the maximum. Remove one first.`,
    de: `Sie haben schon ${most} Passkeys, mehr sind nicht möglich. Bitte zuerst einen entfernen.`
  })

export const newPasskeyNotFoundProblem = (id: number) =>
  new Problem(404, 'passkey-not-found', { en: `Passkey ${id} not found.`, de: `Passkey ${id} nicht gefunden.` })
