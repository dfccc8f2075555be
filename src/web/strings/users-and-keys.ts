import type { Language } from '#platform/language.ts'

/** Users and API keys. */
const en = {
  users: {
    title: 'People',
    lead: 'Everybody who can sign in to this console.',
    invite: 'New person',
    inviteTitle: 'New person',
    inviteHint: 'Give them the password yourself, on paper or by phone. They can change it under “Your account”.',
    list: 'People',
    none: 'Nobody yet.',
    name: 'Name',
    email: 'E-mail address',
    role: 'Role',
    language: 'Language of the console',
    lastSeen: 'Last seen',
    never: 'never',
    you: 'you',
    password: 'Password',
    passwordHint: 'At least 10 characters; not the name, not the e-mail address, none that many people use.',
    newPassword: 'New password',
    newPasswordHint: 'Leave it empty to keep the old one. A new password signs them out everywhere.',
    roleHints: {
      admin: 'everything, also people, keys and settings',
      editor: 'events, venues, organizers and campaigns',
      treasurer: 'campaigns and donations, with names and accounts',
      viewer: 'sees events and campaigns, changes nothing'
    },
    created: (name: string) => `${name} can sign in now.`,
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText:
      'They are signed out at once and cannot sign in any more. What they wrote stays. This cannot be undone, but you can make a new account with the same e-mail address.',
    removed: (name: string) => `${name} has been removed.`,
    keysTitle: 'API keys this person made',
    keysEnd: 'End these keys. Programs that use them stop working at once.',
    keysHandover: 'Hand these keys over to me. Programs that use them keep working.',
    keysBeyond: 'If you choose a role that grants less than one of these keys, the key ends.',
    keep: 'Do not remove',
    danger: 'Remove this person'
  },
  keys: {
    title: 'API keys',
    lead: 'Let other programs read and write here: your website, a script, an app. In WordPress such a key is called an application password.',
    create: 'New key',
    createTitle: 'New API key',
    list: 'API keys',
    none: 'There are no keys. Visitors and this console need none.',
    name: 'Name',
    nameHint: 'What it is for, such as “Import from the old website”.',
    role: 'Role',
    roleHints: {
      admin: 'everything',
      editor: 'writes events, venues, organizers and campaigns',
      treasurer: 'writes campaigns and reads and changes donations',
      viewer: 'reads what is not public, writes nothing',
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
    once: 'Copy it now: it is shown this once and never again.',
    tryIt: 'Try it on a command line:',
    wordpress: 'Programs made for WordPress take it as application password, with any user name.',
    done: 'I have copied it',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke “${name}”?`,
    revokeText: 'Programs that use this key stop working at once. This cannot be undone.',
    revoked: (name: string) => `The key “${name}” has been revoked.`,
    keep: 'Do not revoke'
  }
}

export type UsersAndKeysStrings = typeof en

const de: UsersAndKeysStrings = {
  users: {
    title: 'Personen',
    lead: 'Alle, die sich in dieser Verwaltung anmelden können.',
    invite: 'Neue Person',
    inviteTitle: 'Neue Person',
    inviteHint:
      'Geben Sie das Passwort selbst weiter, auf Papier oder am Telefon. Unter „Ihr Zugang“ lässt es sich ändern.',
    list: 'Personen',
    none: 'Noch niemand.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    language: 'Sprache der Verwaltung',
    lastSeen: 'Zuletzt da',
    never: 'noch nie',
    you: 'Sie',
    password: 'Passwort',
    passwordHint: 'Mindestens 10 Zeichen; nicht der Name, nicht die E-Mail-Adresse, keines, das viele benutzen.',
    newPassword: 'Neues Passwort',
    newPasswordHint:
      'Leer lassen, um das alte zu behalten. Mit einem neuen Passwort wird die Person überall abgemeldet.',
    roleHints: {
      admin: 'alles, auch Personen, Schlüssel und Einstellungen',
      editor: 'Termine, Orte, Veranstalter und Spendenaktionen',
      treasurer: 'Spendenaktionen und Spenden, mit Namen und Konten',
      viewer: 'sieht Termine und Spendenaktionen, ändert nichts'
    },
    created: name => `${name} kann sich jetzt anmelden.`,
    remove: 'Entfernen',
    removeTitle: name => `${name} entfernen?`,
    removeText:
      'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Was sie geschrieben hat, bleibt. Das lässt sich nicht rückgängig machen, aber Sie können mit derselben E-Mail-Adresse ein neues Konto anlegen.',
    removed: name => `${name} ist entfernt.`,
    keysTitle: 'API-Schlüssel, die diese Person angelegt hat',
    keysEnd: 'Diese Schlüssel enden lassen. Programme, die sie benutzen, funktionieren sofort nicht mehr.',
    keysHandover: 'Diese Schlüssel mir übergeben. Programme, die sie benutzen, funktionieren weiter.',
    keysBeyond: 'Wenn Sie eine Rolle wählen, die weniger erlaubt als einer dieser Schlüssel, endet der Schlüssel.',
    keep: 'Nicht entfernen',
    danger: 'Diese Person entfernen'
  },
  keys: {
    title: 'API-Schlüssel',
    lead: 'Damit lesen und schreiben andere Programme hier: Ihre Website, ein Skript, eine App. In WordPress heißt so ein Schlüssel Anwendungspasswort.',
    create: 'Neuer Schlüssel',
    createTitle: 'Neuer API-Schlüssel',
    list: 'API-Schlüssel',
    none: 'Es gibt keine Schlüssel. Besucher und diese Verwaltung brauchen keinen.',
    name: 'Name',
    nameHint: 'Wofür er ist, etwa „Import von der alten Website“.',
    role: 'Rolle',
    roleHints: {
      admin: 'alles',
      editor: 'schreibt Termine, Orte, Veranstalter und Spendenaktionen',
      treasurer: 'schreibt Spendenaktionen, liest und ändert Spenden',
      viewer: 'liest auch, was nicht öffentlich ist, schreibt nichts',
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
    once: 'Kopieren Sie ihn jetzt: Er wird nur dieses eine Mal gezeigt.',
    tryIt: 'Zum Ausprobieren auf der Kommandozeile:',
    wordpress: 'Programme für WordPress nehmen ihn als Anwendungspasswort, mit beliebigem Benutzernamen.',
    done: 'Ich habe ihn kopiert',
    revoke: 'Widerrufen',
    revokeTitle: name => `„${name}“ widerrufen?`,
    revokeText:
      'Programme, die diesen Schlüssel benutzen, funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
    revoked: name => `Der Schlüssel „${name}“ ist widerrufen.`,
    keep: 'Nicht widerrufen'
  }
}

export const usersAndKeysStrings: Record<Language, UsersAndKeysStrings> = { en, de }
