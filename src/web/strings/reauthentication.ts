import type { Language } from '#platform/language.ts'

/** Pages between a form and its action, and the list of sessions. */
const en = {
  confirm: {
    title: 'Please confirm your password',
    lead: 'This change needs your password once more. After that you are not asked for 15 minutes. What you typed is kept.',
    password: 'Your password',
    action: 'Confirm and continue',
    cancel: 'Cancel'
  },
  again: 'The password that you typed into the form, once more',
  file: 'Please choose the file again',
  fileWas: (name: string) => `It was ${name}. Browsers do not keep files.`,
  expired: {
    title: 'Please sign in again',
    lead: 'Your session has ended. What you typed is kept: sign in, and you can go on.',
    tooLong:
      'Your session has ended, and the form is too long to be kept here. Sign in in another tab of your browser, then come back with the back button and send the form again.',
    open: 'Open sign-in in another tab'
  },
  resume: {
    title: 'Continue where you stopped',
    signedIn: 'You are signed in again. What you typed is kept and has not been sent yet.',
    otherSession: 'This form was opened before you signed in again. What you typed is kept and has not been sent yet.',
    action: 'Send it now',
    drop: 'Discard it'
  },
  sessions: {
    title: 'Where you are signed in',
    lead: 'If you do not recognise an entry, end it and change your password.',
    device: 'Device',
    started: 'Signed in',
    used: 'Last used',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown program',
    current: 'this one',
    now: 'now',
    end: 'Sign out',
    ended: 'That session has ended.',
    endOthers: 'Sign out everywhere else',
    othersEnded: 'You are signed out everywhere else.'
  },
  signOut: {
    title: 'Sessions',
    text: 'Ends all sessions of this user, for instance when a device is lost. The password is not changed.',
    action: 'Sign out everywhere',
    done: (name: string) => `${name} is signed out everywhere.`
  }
}

export type ReauthenticationStrings = typeof en

const de: ReauthenticationStrings = {
  confirm: {
    title: 'Bitte bestätigen Sie Ihr Passwort',
    lead: 'Diese Änderung braucht noch einmal Ihr Passwort. Danach werden Sie 15 Minuten lang nicht gefragt. Ihre Eingaben bleiben erhalten.',
    password: 'Ihr Passwort',
    action: 'Bestätigen und fortfahren',
    cancel: 'Abbrechen'
  },
  again: 'Das Passwort aus dem Formular, noch einmal',
  file: 'Bitte wählen Sie die Datei noch einmal aus',
  fileWas: name => `Es war ${name}. Browser behalten keine Dateien.`,
  expired: {
    title: 'Bitte melden Sie sich noch einmal an',
    lead: 'Ihre Sitzung ist beendet. Ihre Eingaben bleiben erhalten: Melden Sie sich an, dann geht es weiter.',
    tooLong:
      'Ihre Sitzung ist beendet, und das Formular ist zu lang, um es hier aufzubewahren. Melden Sie sich in einem anderen Tab an, kommen Sie mit der Zurück-Taste hierher zurück und senden Sie das Formular noch einmal ab.',
    open: 'Anmeldung in einem anderen Tab öffnen'
  },
  resume: {
    title: 'Weiter, wo Sie aufgehört haben',
    signedIn: 'Sie sind wieder angemeldet. Ihre Eingaben sind erhalten und noch nicht abgesendet.',
    otherSession:
      'Dieses Formular wurde geöffnet, bevor Sie sich neu angemeldet haben. Ihre Eingaben sind erhalten und noch nicht abgesendet.',
    action: 'Jetzt absenden',
    drop: 'Verwerfen'
  },
  sessions: {
    title: 'Wo Sie angemeldet sind',
    lead: 'Wenn Sie einen Eintrag nicht kennen, beenden Sie ihn und ändern Sie Ihr Passwort.',
    device: 'Gerät',
    started: 'Angemeldet',
    used: 'Zuletzt benutzt',
    on: (browser, system) => `${browser} unter ${system}`,
    unknown: 'Unbekanntes Programm',
    current: 'dieses hier',
    now: 'jetzt',
    end: 'Abmelden',
    ended: 'Diese Sitzung ist beendet.',
    endOthers: 'Überall sonst abmelden',
    othersEnded: 'Sie sind überall sonst abgemeldet.'
  },
  signOut: {
    title: 'Sitzungen',
    text: 'Beendet alle Sitzungen dieser Person, zum Beispiel wenn ein Gerät verloren ging. Das Passwort wird nicht geändert.',
    action: 'Überall abmelden',
    done: name => `${name} ist überall abgemeldet.`
  }
}

export const reauthenticationStrings: Record<Language, ReauthenticationStrings> = { en, de }
