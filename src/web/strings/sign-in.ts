import type { Language } from '#platform/language.ts'

/** First run, sign-in, and the user's own account. */
const en = {
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    action: 'Sign in',
    wrong: 'Incorrect email or password.',
    failed: 'That did not work',
    wait: (seconds: number) =>
      seconds < 90
        ? `Too many attempts. Please try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`
        : `Too many attempts. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
    signedOut: 'You have signed out.',
    toSite: 'To the site'
  },
  setup: {
    title: 'Welcome',
    lead: 'Four short questions, and your calendar and your donations are ready. Everything can be changed later.',
    organisation: 'Your organisation',
    places: 'Languages and time',
    you: 'Your user account',
    youHint: 'You will be the admin. You can invite other users later.',
    bank: 'Where donations go',
    bankHint: 'Optional. Default account of new campaigns.',
    name: 'Your name',
    password: 'Password',
    passwordHint: 'At least 10 characters. A short sentence is easy to remember.',
    sample: 'Load sample content',
    sampleHint:
      'Events and campaigns of an invented town, so that you can look around. You can remove all of it again with one click.',
    action: 'Set up the site',
    locked: 'Open the setup link from the server log',
    lockedText:
      'Setup is possible only with access to the server log. At every start, the server logs a link that ends in',
    lockedCommand: 'You can also create the first user account on the server:',
    badToken: 'The link is no longer valid. The server logs a new one at every start.',
    retry: 'Try again'
  },
  account: {
    title: 'Your account',
    about: 'About you',
    name: 'Name',
    language: 'Language of the console',
    email: 'Email address',
    role: 'Role',
    byAdmin: 'An admin can change your email address and your role.',
    password: 'Change the password',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 10 characters; not your name, not your email address, not a common password.',
    wrongCurrent: 'The current password is wrong.',
    change: 'Change the password',
    changed: 'Your password has been changed. You have been signed out everywhere else.'
  },
  badEmail: 'Please enter an email address such as anna@example.org.'
}

export type SignInStrings = typeof en

const de: SignInStrings = {
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    action: 'Anmelden',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch.',
    failed: 'Das hat nicht geklappt',
    wait: seconds =>
      seconds < 90
        ? `Zu viele Versuche. Bitte versuchen Sie es in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`} noch einmal.`
        : `Zu viele Versuche. Bitte versuchen Sie es in ${Math.ceil(seconds / 60)} Minuten noch einmal.`,
    signedOut: 'Sie sind abgemeldet.',
    toSite: 'Zur Website'
  },
  setup: {
    title: 'Willkommen',
    lead: 'Vier kurze Fragen, dann sind Ihr Kalender und Ihre Spendenseiten bereit. Alles kann später geändert werden.',
    organisation: 'Ihre Organisation',
    places: 'Sprachen und Zeit',
    you: 'Ihr Zugang',
    youHint: 'Sie bekommen die Rolle „Administration“. Andere können Sie später einladen.',
    bank: 'Wohin Spenden gehen',
    bankHint: 'Freiwillig. Standardkonto neuer Spendenaktionen.',
    name: 'Ihr Name',
    password: 'Passwort',
    passwordHint: 'Mindestens 10 Zeichen. Ein kurzer Satz ist leicht zu merken.',
    sample: 'Beispielinhalte laden',
    sampleHint:
      'Termine und Spendenaktionen einer erfundenen Stadt, zum Umsehen. Sie können sie mit einem Klick wieder entfernen.',
    action: 'Website einrichten',
    locked: 'Öffnen Sie den Einrichtungslink aus dem Server-Log',
    lockedText:
      'Die Einrichtung ist nur mit Zugriff auf das Server-Log möglich. Bei jedem Start enthält es einen Link, der so endet:',
    lockedCommand: 'Den ersten Zugang können Sie auch direkt auf dem Server anlegen:',
    badToken: 'Der Link gilt nicht mehr. Bei jedem Start enthält das Server-Log einen neuen.',
    retry: 'Noch einmal versuchen'
  },
  account: {
    title: 'Ihr Zugang',
    about: 'Über Sie',
    name: 'Name',
    language: 'Sprache der Verwaltung',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    byAdmin: 'E-Mail-Adresse und Rolle kann die Administration ändern.',
    password: 'Passwort ändern',
    current: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    nextHint: 'Mindestens 10 Zeichen; nicht Ihr Name, nicht Ihre E-Mail-Adresse, kein häufig verwendetes Passwort.',
    wrongCurrent: 'Das bisherige Passwort ist falsch.',
    change: 'Passwort ändern',
    changed: 'Ihr Passwort ist geändert. Überall sonst sind Sie jetzt abgemeldet.'
  },
  badEmail: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa anna@example.org.'
}

export const signInStrings: Record<Language, SignInStrings> = { en, de }
