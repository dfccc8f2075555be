import type { Language } from '#platform/language.ts'

/** Second factors and passkeys. */
const en = {
  title: 'Sign-in security',
  lead: 'With a second factor, your password alone is not enough to sign in.',
  open: 'Set up or change',
  protectedNow: 'Your user account has a second factor.',
  unprotected: 'Your user account is protected by the password only.',
  app: {
    title: 'Authenticator app',
    text: 'An app on your phone shows a new code every 30 seconds. You enter it after your password.',
    setUp: 'Set up the app',
    since: (day: string) => `In use since ${day}.`,
    lastUsed: (when: string) => `Last used ${when}.`,
    remove: 'Remove the app',
    removeTitle: 'Remove the authenticator app?',
    removeText: 'Your codes then stop working.',
    removed: 'The authenticator app has been removed.',
    scanTitle: 'Set up the authenticator app',
    scan: 'Scan this code with an authenticator app, such as the one of your password manager.',
    picture: 'QR code for the authenticator app',
    manual: 'No camera? Enter this key in the app instead:',
    code: 'Code from the app',
    codeHint: 'Six digits.',
    confirm: 'Turn it on',
    done: 'The authenticator app is set up.'
  },
  passkeys: {
    title: 'Passkeys',
    text: 'A passkey is stored in your phone, computer or security key. You sign in with a finger, your face or a PIN, without a password.',
    add: 'Add a passkey',
    name: 'Name of the passkey',
    nameHint: 'So that you recognise it later, for example “Anna’s phone”.',
    defaultName: 'My passkey',
    next: 'Continue',
    create: 'Create the passkey',
    createText: 'Your browser will ask you to confirm with a finger, your face or a PIN.',
    added: (name: string) => `The passkey “${name}” has been added.`,
    since: (day: string) => `Added on ${day}.`,
    lastUsed: (when: string) => `Last used ${when}.`,
    unused: 'Not used yet.',
    rename: 'Rename',
    renameTitle: 'Rename the passkey',
    remove: 'Remove',
    removeTitle: (name: string) => `Remove the passkey “${name}”?`,
    removeText: 'You cannot sign in with it any more. Delete it on your device too.',
    removed: (name: string) => `The passkey “${name}” has been removed.`,
    cloned: 'Blocked',
    clonedText: 'There may be a copy of this passkey. It is not accepted any more: please remove it and add a new one.',
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey',
    useText: 'Your browser asks which passkey to use.',
    withPassword: 'Sign in with a password instead',
    unsupported: 'This browser does not support passkeys.',
    failed: 'The passkey was not accepted, or the request was cancelled. Please try again.',
    needsScript: 'Passkeys need JavaScript. Please turn it on, or use another way to sign in.',
    notOffered:
      'Passkeys are not available here: browsers offer them only for a site with its own name and https. The operator of the server can set PUBLIC_URL to such a URL.'
  },
  codes: {
    title: 'Recovery codes',
    text: 'In case you lose your phone. Each code works once.',
    left: (count: number) => (count === 1 ? 'One code is left.' : `${count} codes are left.`),
    renew: 'Get new codes',
    renewTitle: 'Get new recovery codes?',
    renewText: 'The codes that you have stop working.',
    newTitle: 'Your recovery codes',
    newText:
      'Print these codes or write them down, and keep them with your important documents. They are shown only once.',
    list: 'Recovery codes',
    saved: 'I have kept them safe',
    none: 'You get recovery codes with your first second factor.'
  },
  proof: {
    password: 'Your password',
    passwordHint: 'To confirm that it is you.',
    code: 'Or a code from your app, or a recovery code',
    wrongPassword: 'The password is wrong.',
    wrongCode: 'This code is wrong, or it was used before. Please wait for the next one.',
    missing: 'Please enter your password or a code.',
    wait: (seconds: number) => `Too many attempts. Please try again in ${Math.ceil(seconds / 60)} minutes.`
  },
  step: {
    title: 'Second step',
    text: 'Enter the code that your authenticator app shows now.',
    code: 'Code',
    hint: 'Six digits. If you do not have your phone at hand, use one of your recovery codes.',
    action: 'Sign in',
    failed: 'That did not work',
    expired: 'This took too long. Please sign in again.',
    back: 'Sign in with another user account',
    lost: 'Lost your phone and your recovery codes?',
    lostHelp: 'An admin can remove the second factor from your user account.'
  },
  policy: {
    title: 'Require a second factor',
    link: 'Require a second factor',
    text: 'Users with these roles must set up a second factor. Until then they cannot do anything else in the console. API keys are not affected.',
    roles: 'Required for',
    own: 'Set up your own second factor',
    lost: 'Remove a lost second factor',
    remove: 'Remove the second factor',
    removeTitle: (name: string) => `Remove the second factor of ${name}?`,
    removeText:
      'Do this only if you are sure that the request comes from this user. Authenticator app, passkeys and recovery codes stop working; the password is not changed. The user is notified by email if SMTP is configured.',
    hasNone: (name: string) => `${name} has no second factor.`,
    removed: (name: string) => `The second factor of ${name} has been removed.`,
    mustEnrol: 'Your role needs a second factor. Please set one up now: until then you cannot do anything else here.'
  },
  cancel: 'Cancel',
  back: 'Back to sign-in security'
}

export type SecondFactorStrings = typeof en

const de: SecondFactorStrings = {
  title: 'Anmeldung sichern',
  lead: 'Mit einem zweiten Faktor genügt Ihr Passwort allein nicht mehr zur Anmeldung.',
  open: 'Einrichten oder ändern',
  protectedNow: 'Ihr Zugang hat einen zweiten Faktor.',
  unprotected: 'Ihr Zugang ist nur durch das Passwort geschützt.',
  app: {
    title: 'Authenticator-App',
    text: 'Eine App auf Ihrem Smartphone zeigt alle 30 Sekunden einen neuen Code. Sie geben ihn nach dem Passwort ein.',
    setUp: 'App einrichten',
    since: day => `In Gebrauch seit ${day}.`,
    lastUsed: when => `Zuletzt benutzt: ${when}.`,
    remove: 'App entfernen',
    removeTitle: 'Authenticator-App entfernen?',
    removeText: 'Ihre Codes gelten danach nicht mehr.',
    removed: 'Die Authenticator-App wurde entfernt.',
    scanTitle: 'Authenticator-App einrichten',
    scan: 'Scannen Sie diesen Code mit einer Authenticator-App, zum Beispiel mit der Ihres Passwortmanagers.',
    picture: 'QR-Code für die Authenticator-App',
    manual: 'Keine Kamera? Geben Sie stattdessen diesen Schlüssel in der App ein:',
    code: 'Code aus der App',
    codeHint: 'Sechs Ziffern.',
    confirm: 'Einschalten',
    done: 'Die Authenticator-App ist eingerichtet.'
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Ein Passkey ist in Ihrem Smartphone, Computer oder Sicherheitsschlüssel gespeichert. Sie melden sich mit Fingerabdruck, Gesicht oder PIN an, ohne Passwort.',
    add: 'Passkey hinzufügen',
    name: 'Name des Passkeys',
    nameHint: 'Damit Sie ihn später wiedererkennen, zum Beispiel „Smartphone von Anna“.',
    defaultName: 'Mein Passkey',
    next: 'Weiter',
    create: 'Passkey erstellen',
    createText: 'Ihr Browser bittet Sie, mit Fingerabdruck, Gesicht oder PIN zu bestätigen.',
    added: name => `Der Passkey „${name}“ wurde hinzugefügt.`,
    since: day => `Hinzugefügt am ${day}.`,
    lastUsed: when => `Zuletzt benutzt: ${when}.`,
    unused: 'Noch nicht benutzt.',
    rename: 'Umbenennen',
    renameTitle: 'Passkey umbenennen',
    remove: 'Entfernen',
    removeTitle: name => `Passkey „${name}“ entfernen?`,
    removeText: 'Sie können sich danach nicht mehr damit anmelden. Bitte löschen Sie ihn auch auf Ihrem Gerät.',
    removed: name => `Der Passkey „${name}“ wurde entfernt.`,
    cloned: 'Gesperrt',
    clonedText:
      'Von diesem Passkey gibt es möglicherweise eine Kopie. Er wird nicht mehr angenommen: Bitte entfernen Sie ihn und fügen Sie einen neuen hinzu.',
    signIn: 'Mit Passkey anmelden',
    use: 'Passkey benutzen',
    useText: 'Ihr Browser fragt, welchen Passkey Sie benutzen möchten.',
    withPassword: 'Stattdessen mit Passwort anmelden',
    unsupported: 'Dieser Browser unterstützt keine Passkeys.',
    failed: 'Der Passkey wurde nicht angenommen oder die Anfrage abgebrochen. Bitte versuchen Sie es noch einmal.',
    needsScript: 'Passkeys brauchen JavaScript. Bitte schalten Sie es ein oder melden Sie sich anders an.',
    notOffered:
      'Passkeys gibt es hier nicht: Browser bieten sie nur für eine Website mit eigenem Namen und https an. Wer den Server betreibt, kann PUBLIC_URL auf eine solche URL setzen.'
  },
  codes: {
    title: 'Wiederherstellungscodes',
    text: 'Für den Fall, dass Ihr Smartphone verloren geht. Jeder Code gilt einmal.',
    left: count => (count === 1 ? 'Ein Code ist übrig.' : `${count} Codes sind übrig.`),
    renew: 'Neue Codes anfordern',
    renewTitle: 'Neue Wiederherstellungscodes anfordern?',
    renewText: 'Die bisherigen Codes gelten dann nicht mehr.',
    newTitle: 'Ihre Wiederherstellungscodes',
    newText:
      'Drucken Sie diese Codes aus oder schreiben Sie sie ab, und bewahren Sie sie bei Ihren wichtigen Unterlagen auf. Sie werden nur dieses eine Mal angezeigt.',
    list: 'Wiederherstellungscodes',
    saved: 'Ich habe sie sicher verwahrt',
    none: 'Wiederherstellungscodes erhalten Sie mit Ihrem ersten zweiten Faktor.'
  },
  proof: {
    password: 'Ihr Passwort',
    passwordHint: 'Zur Bestätigung, dass Sie es sind.',
    code: 'Oder ein Code aus Ihrer App oder ein Wiederherstellungscode',
    wrongPassword: 'Das Passwort ist falsch.',
    wrongCode: 'Dieser Code ist falsch oder wurde schon benutzt. Bitte warten Sie auf den nächsten.',
    missing: 'Bitte geben Sie Ihr Passwort oder einen Code ein.',
    wait: seconds => `Zu viele Versuche. Bitte versuchen Sie es in ${Math.ceil(seconds / 60)} Minuten noch einmal.`
  },
  step: {
    title: 'Zweiter Schritt',
    text: 'Geben Sie den Code ein, den Ihre Authenticator-App gerade zeigt.',
    code: 'Code',
    hint: 'Sechs Ziffern. Wenn Sie Ihr Smartphone nicht zur Hand haben, benutzen Sie einen Wiederherstellungscode.',
    action: 'Anmelden',
    failed: 'Das hat nicht geklappt',
    expired: 'Das hat zu lange gedauert. Bitte melden Sie sich neu an.',
    back: 'Mit einem anderen Zugang anmelden',
    lost: 'Smartphone und Wiederherstellungscodes verloren?',
    lostHelp: 'Die Administration kann den zweiten Faktor Ihres Zugangs entfernen.'
  },
  policy: {
    title: 'Zweiten Faktor vorschreiben',
    link: 'Zweiten Faktor vorschreiben',
    text: 'Wer eine dieser Rollen hat, muss einen zweiten Faktor einrichten. Bis dahin ist in der Verwaltung sonst nichts möglich. API-Schlüssel sind davon nicht betroffen.',
    roles: 'Vorgeschrieben für',
    own: 'Eigenen zweiten Faktor einrichten',
    lost: 'Verlorenen zweiten Faktor entfernen',
    remove: 'Zweiten Faktor entfernen',
    removeTitle: name => `Zweiten Faktor von ${name} entfernen?`,
    removeText:
      'Tun Sie das nur, wenn Sie sicher sind, dass wirklich die Person selbst darum bittet. Authenticator-App, Passkeys und Wiederherstellungscodes gelten dann nicht mehr; das Passwort wird nicht geändert. Die Person erhält eine E-Mail, wenn der Versand eingerichtet ist.',
    hasNone: name => `${name} hat keinen zweiten Faktor.`,
    removed: name => `Der zweite Faktor von ${name} wurde entfernt.`,
    mustEnrol:
      'Für Ihre Rolle ist ein zweiter Faktor vorgeschrieben. Bitte richten Sie jetzt einen ein: Bis dahin ist hier sonst nichts möglich.'
  },
  cancel: 'Abbrechen',
  back: 'Zurück zu „Anmeldung sichern“'
}

export const secondFactorStrings: Record<Language, SecondFactorStrings> = { en, de }
