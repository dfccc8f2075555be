import type { Language } from '#platform/language.ts'

/** Users and API keys. */
const en = {
  users: {
    title: 'Users',
    lead: 'Users who can sign in to this console.',
    invite: 'Add user',
    inviteTitle: 'Add user',
    inviteHint: 'Give them the password yourself, on paper or by phone. They can change it under “Your account”.',
    list: 'Users',
    none: 'No users yet.',
    name: 'Name',
    email: 'Email address',
    role: 'Role',
    language: 'Language of the console',
    lastSeen: 'Last active',
    never: 'never',
    you: 'you',
    password: 'Password',
    passwordHint: 'At least 10 characters; not the name, not the email address, not a common password.',
    newPassword: 'New password',
    newPasswordHint: 'Leave it empty to keep the old one. A new password signs the user out everywhere.',
    roleHints: {
      admin: 'everything, including users, keys and settings',
      editor: 'events, venues, organizers and campaigns',
      treasurer: 'campaigns and donations, with names and accounts',
      viewer: 'sees events and campaigns, changes nothing'
    },
    created: (name: string) => `${name} can sign in now.`,
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText:
      'They are signed out at once and can no longer sign in. Their content is kept. This cannot be undone, but you can create a new user account with the same email address.',
    removed: (name: string) => `${name} has been removed.`,
    keysTitle: 'API keys that this user created',
    keysEnd: 'Revoke these keys. Programs that use them stop working at once.',
    keysHandover: 'Hand these keys over to me. Programs that use them keep working.',
    keysBeyond: 'If you choose a role that grants less than one of these keys, the key is revoked.',
    keep: 'Do not remove',
    danger: 'Remove this user'
  },
  keys: {
    title: 'API keys',
    lead: 'Let other programs read and write here: your website, a script, an app. In WordPress such a key is called an application password.',
    create: 'New key',
    createTitle: 'New API key',
    list: 'API keys',
    none: 'No API keys. Visitors and this console need none.',
    name: 'Name',
    nameHint: 'What it is for, such as “Import from the old website”.',
    role: 'Role',
    roleHints: {
      admin: 'everything',
      editor: 'writes events, venues, organizers and campaigns',
      treasurer: 'writes campaigns and reads and changes donations',
      viewer: 'same access as the public (no write access)',
      author: 'writes and publishes own events',
      contributor: 'writes own events, which others publish'
    },
    expires: 'Expires',
    expiresHint: 'The key works until the end of this day. Empty: until it is revoked.',
    expired: 'expired',
    noEnd: 'never',
    lastUsed: 'Last used',
    unused: 'never',
    created: 'Created',
    madeBy: 'Created by',
    noMaker: 'not known',
    madeTitle: 'Your new key',
    once: 'Copy it now. It is shown only once.',
    tryIt: 'Try it on a command line:',
    wordpress: 'Programs for WordPress accept it as an application password, with any user name.',
    done: 'I have copied it',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke “${name}”?`,
    revokeText: 'Programs that use this key stop working at once. This cannot be undone.',
    revoked: (name: string) => `Key “${name}” revoked.`,
    keep: 'Do not revoke'
  }
}

export type UsersAndKeysStrings = typeof en

const de: UsersAndKeysStrings = {
  users: {
    title: 'Benutzer',
    lead: 'Alle, die sich in dieser Verwaltung anmelden können.',
    invite: 'Zugang anlegen',
    inviteTitle: 'Zugang anlegen',
    inviteHint:
      'Geben Sie das Passwort selbst weiter, auf Papier oder am Telefon. Unter „Ihr Zugang“ kann es geändert werden.',
    list: 'Benutzer',
    none: 'Noch keine Benutzer.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    language: 'Sprache der Verwaltung',
    lastSeen: 'Zuletzt aktiv',
    never: 'noch nie',
    you: 'Sie',
    password: 'Passwort',
    passwordHint: 'Mindestens 10 Zeichen; nicht der Name, nicht die E-Mail-Adresse, kein häufig verwendetes Passwort.',
    newPassword: 'Neues Passwort',
    newPasswordHint:
      'Leer lassen, um das alte zu behalten. Mit einem neuen Passwort wird die Person überall abgemeldet.',
    roleHints: {
      admin: 'alles, auch Benutzer, Schlüssel und Einstellungen',
      editor: 'Termine, Veranstaltungsorte, Veranstalter und Spendenaktionen',
      treasurer: 'Spendenaktionen und Spenden, mit Namen und Konten',
      viewer: 'sieht Termine und Spendenaktionen, ändert nichts'
    },
    created: name => `${name} kann sich jetzt anmelden.`,
    remove: 'Entfernen',
    removeTitle: name => `${name} entfernen?`,
    removeText:
      'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Ihre Inhalte bleiben erhalten. Das kann nicht rückgängig gemacht werden, aber Sie können mit derselben E-Mail-Adresse einen neuen Zugang anlegen.',
    removed: name => `${name} wurde entfernt.`,
    keysTitle: 'API-Schlüssel, die diese Person angelegt hat',
    keysEnd: 'Diese Schlüssel widerrufen. Programme, die sie benutzen, funktionieren sofort nicht mehr.',
    keysHandover: 'Diese Schlüssel mir übergeben. Programme, die sie benutzen, funktionieren weiter.',
    keysBeyond:
      'Wenn Sie eine Rolle wählen, die weniger erlaubt als einer dieser Schlüssel, wird der Schlüssel widerrufen.',
    keep: 'Nicht entfernen',
    danger: 'Diesen Benutzer entfernen'
  },
  keys: {
    title: 'API-Schlüssel',
    lead: 'Damit lesen und schreiben andere Programme hier: Ihre Website, ein Skript, eine App. In WordPress heißt so ein Schlüssel Anwendungspasswort.',
    create: 'Neuer Schlüssel',
    createTitle: 'Neuer API-Schlüssel',
    list: 'API-Schlüssel',
    none: 'Keine API-Schlüssel. Besucherinnen und Besucher und diese Verwaltung brauchen keinen.',
    name: 'Name',
    nameHint: 'Wofür er ist, etwa „Import von der alten Website“.',
    role: 'Rolle',
    roleHints: {
      admin: 'alles',
      editor: 'schreibt Termine, Veranstaltungsorte, Veranstalter und Spendenaktionen',
      treasurer: 'schreibt Spendenaktionen, liest und ändert Spenden',
      viewer: 'liest nur öffentliche Daten, schreibt nichts',
      author: 'schreibt und veröffentlicht eigene Termine',
      contributor: 'schreibt eigene Termine, die andere veröffentlichen'
    },
    expires: 'Gültig bis',
    expiresHint: 'Bis zum Ende dieses Tages. Leer: bis er widerrufen wird.',
    expired: 'abgelaufen',
    noEnd: 'unbegrenzt',
    lastUsed: 'Zuletzt benutzt',
    unused: 'noch nie',
    created: 'Angelegt',
    madeBy: 'Angelegt von',
    noMaker: 'nicht bekannt',
    madeTitle: 'Ihr neuer Schlüssel',
    once: 'Kopieren Sie ihn jetzt. Er wird nur einmal angezeigt.',
    tryIt: 'Zum Ausprobieren auf der Kommandozeile:',
    wordpress: 'Programme für WordPress nehmen ihn als Anwendungspasswort, mit beliebigem Benutzernamen.',
    done: 'Ich habe ihn kopiert',
    revoke: 'Widerrufen',
    revokeTitle: name => `„${name}“ widerrufen?`,
    revokeText:
      'Programme, die diesen Schlüssel benutzen, funktionieren sofort nicht mehr. Das kann nicht rückgängig gemacht werden.',
    revoked: name => `Schlüssel „${name}“ widerrufen.`,
    keep: 'Nicht widerrufen'
  }
}

export const usersAndKeysStrings: Record<Language, UsersAndKeysStrings> = { en, de }
