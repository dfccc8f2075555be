import type { Language } from '#platform/language.ts'

/** Invitations, password resets and forgotten passwords. */
const en = {
  invite: 'Invite a user',
  inviteTitle: 'Invite a user',
  inviteLead: 'The user gets a link to choose a password. The link works once, for 7 days.',
  inviteAction: 'Create invitation',
  withPassword: 'Or create the user account with a password of your choice',
  invited: 'Open invitations',
  invitedBy: 'Invited by',
  expires: 'Link works until',
  expired: 'link expired',
  newLink: 'Create new link',
  withdraw: 'Withdraw',
  withdrawTitle: (name: string) => `Withdraw the invitation of ${name}?`,
  withdrawText: 'The link stops working at once. You can invite the same person again.',
  withdrawn: (name: string) => `Invitation of ${name} withdrawn.`,
  keepInvitation: 'Do not withdraw',
  issuedTitle: (name: string) => `Link for ${name}`,
  issuedOnce: 'Copy the link now and pass it on. It is shown only once.',
  issuedMailed: (email: string) => `A link has also been sent to ${email}.`,
  inviteUntil: (until: string) => `It works once, until ${until}.`,
  linkLabel: 'Link',
  done: 'I have copied it',
  resetTitle: 'Forgotten password',
  resetLink: 'Create a password reset link',
  resetHint:
    'For users who forgot their password. You get a link to pass on; it works once, for 24 hours. The old password works until then.',
  accept: {
    title: 'Welcome',
    lead: (name: string, site: string) => `Hello ${name}, you are invited to help run the site of ${site}.`,
    email: 'You will sign in with this email address',
    password: 'Choose a password',
    action: 'Create my user account'
  },
  reset: {
    title: 'Choose a new password',
    lead: (name: string) => `Hello ${name}, choose a new password. You will then be signed out everywhere.`,
    password: 'New password',
    action: 'Save the new password',
    done: 'Your new password has been saved. Please sign in with it.'
  },
  passwordHint: 'At least 10 characters. A short sentence is easy to remember.',
  ended: {
    title: 'This link is no longer valid',
    text: 'It was used, replaced or withdrawn, or it has expired. Ask for a new one.',
    toSignIn: 'To sign-in'
  },
  forgotten: {
    link: 'Forgot your password?',
    title: 'Forgot your password?',
    lead: 'Enter your email address, and we will send you a link to choose a new password.',
    email: 'Email address',
    action: 'Send the link',
    sent: 'If there is a user account with this email address, a link is on its way to it. It works for one hour. Please check your spam folder too.',
    byAdmin:
      'This site does not send emails. Ask an admin for a password reset link; it can be created under Users, on the page of your user account.',
    soleAdmin: 'If you are the only admin, this command on the server prints such a link:',
    back: 'Back to sign-in'
  }
}

export type AccountsStrings = typeof en

const de: AccountsStrings = {
  invite: 'Benutzer einladen',
  inviteTitle: 'Benutzer einladen',
  inviteLead:
    'Die Person bekommt einen Link und wählt dort selbst ein Passwort. Der Link gilt einmal und sieben Tage lang.',
  inviteAction: 'Einladung erstellen',
  withPassword: 'Oder den Zugang mit einem Passwort anlegen, das Sie selbst wählen',
  invited: 'Offene Einladungen',
  invitedBy: 'Eingeladen von',
  expires: 'Link gilt bis',
  expired: 'Link abgelaufen',
  newLink: 'Neuen Link erstellen',
  withdraw: 'Zurückziehen',
  withdrawTitle: name => `Einladung von ${name} zurückziehen?`,
  withdrawText: 'Der Link gilt sofort nicht mehr. Sie können dieselbe Person wieder einladen.',
  withdrawn: name => `Einladung von ${name} zurückgezogen.`,
  keepInvitation: 'Nicht zurückziehen',
  issuedTitle: name => `Link für ${name}`,
  issuedOnce: 'Kopieren Sie den Link jetzt und geben Sie ihn weiter: Er wird nur einmal angezeigt.',
  issuedMailed: email => `Ein Link wurde auch an ${email} gesendet.`,
  inviteUntil: until => `Er gilt einmal, bis ${until}.`,
  linkLabel: 'Link',
  done: 'Ich habe ihn kopiert',
  resetTitle: 'Passwort vergessen',
  resetLink: 'Link zum Zurücksetzen des Passworts erstellen',
  resetHint:
    'Für Benutzer, die ihr Passwort vergessen haben. Sie bekommen einen Link zum Weitergeben; er gilt einmal und 24 Stunden lang. Bis dahin gilt das alte Passwort.',
  accept: {
    title: 'Willkommen',
    lead: (name, site) => `Guten Tag ${name}, Sie sind eingeladen, die Website von ${site} mit zu betreuen.`,
    email: 'Mit dieser E-Mail-Adresse melden Sie sich an',
    password: 'Passwort wählen',
    action: 'Zugang anlegen'
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: name => `Guten Tag ${name}, wählen Sie ein neues Passwort. Danach sind Sie überall abgemeldet.`,
    password: 'Neues Passwort',
    action: 'Neues Passwort speichern',
    done: 'Ihr neues Passwort ist gespeichert. Bitte melden Sie sich damit an.'
  },
  passwordHint: 'Mindestens 10 Zeichen. Ein kurzer Satz ist leicht zu merken.',
  ended: {
    title: 'Dieser Link gilt nicht mehr',
    text: 'Er wurde benutzt, ersetzt oder zurückgezogen, oder er ist abgelaufen. Bitte lassen Sie sich einen neuen geben.',
    toSignIn: 'Zur Anmeldung'
  },
  forgotten: {
    link: 'Passwort vergessen?',
    title: 'Passwort vergessen?',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    email: 'E-Mail-Adresse',
    action: 'Link senden',
    sent: 'Wenn es einen Zugang mit dieser E-Mail-Adresse gibt, ist ein Link dorthin unterwegs. Er gilt eine Stunde. Bitte sehen Sie auch im Spam-Ordner nach.',
    byAdmin:
      'Diese Website versendet keine E-Mails. Bitten Sie die Administration um einen Link zum Zurücksetzen: Er kann unter „Benutzer“ auf der Seite Ihres Zugangs erstellt werden.',
    soleAdmin: 'Wenn nur Sie die Rolle „Administration“ haben, gibt dieser Befehl auf dem Server so einen Link aus:',
    back: 'Zurück zur Anmeldung'
  }
}

export const accountsStrings: Record<Language, AccountsStrings> = { en, de }
