import type { Language, Text } from '#platform/language.ts'

const en = {
  title: 'Problem codes',
  description:
    'Every code by which the programming interfaces of this site say what is wrong, and what to do about it.',
  lead: 'Every error has a code, which is stable and made for programs. These are all of them; choose one to see what it means and what to do.',
  titleOf: (code: string) => `Problem: ${code}`,
  leadOf: 'A code by which the programming interfaces of this site say what is wrong.',
  all: 'All problem codes',
  reference: 'API reference',
  meaning: 'What it means',
  ellipsis: 'An ellipsis stands for what depends on the request.',
  status: 'Status',
  anyStatus: 'The status depends on the request.',
  remedy: 'What to do',
  origin: 'Where it comes from',
  services: {
    fundraising: 'Donations',
    calendar: 'Calendar, which answers in the form of WordPress: the code is in `code`, the status in `data.status`',
    platform: 'All parts: site, accounts, sign-in, limits',
    web: 'Embeds'
  } as Record<string, string>,
  groups: {
    fundraising: 'Donations',
    calendar: 'Calendar, in the form of WordPress',
    platform: 'All parts',
    web: 'Embeds'
  } as Record<string, string>,
  remedies: {
    400: 'Mend the request. Where fields are wrong, `errors` has all of them at once, each with a JSON Pointer, a code and a message; the calendar has them in `data.params`. Sending the same request again does not help.',
    401: 'Send valid credentials: an API key or the token of a session as `Authorization: Bearer`, or a key as the password of Basic credentials.',
    403: 'Use credentials with a role that may do this, or do first what the message asks for. The reference names the roles of every operation.',
    404: 'Check the address and the ids in it. What was deleted, or is not visible with these credentials, is not found either.',
    405: 'Use one of the methods in the `Allow` header.',
    409: 'The request conflicts with the present state. Read the resource again, do what the message asks for, and then repeat the request.',
    410: 'It existed and is permanently gone. Stop requesting it, or start again.',
    412: 'Somebody changed the resource after you read it. Read it again, decide anew, and send the new `ETag` as `If-Match`.',
    413: 'Send less: a smaller body or a smaller file.',
    415: 'Send the body with a `Content-Type` that this operation accepts.',
    422: 'The request is well-formed but breaks a rule, which the message names. Change the values and send it again.',
    429: 'Wait as many seconds as `Retry-After` says, then try again.',
    500: 'The mistake is ours. Tell those who run this site the `X-Request-Id`: the log has it.',
    503: 'Try again after as many seconds as `Retry-After` says. With an `Idempotency-Key` nothing is done twice.'
  } as Record<number, string>
}

export type ProblemStrings = typeof en

const de: ProblemStrings = {
  title: 'Fehlercodes',
  description:
    'Alle Codes, mit denen die Programmierschnittstellen dieser Website sagen, was nicht stimmt und was zu tun ist.',
  lead: 'Jeder Fehler hat einen Code, der sich nie ändert und für Programme gemacht ist. Das sind alle; wählen Sie einen, um zu sehen, was er bedeutet und was zu tun ist.',
  titleOf: code => `Fehler: ${code}`,
  leadOf: 'Ein Code, mit dem die Programmierschnittstellen dieser Website sagen, was nicht stimmt.',
  all: 'Alle Fehlercodes',
  reference: 'API-Referenz',
  meaning: 'Was er bedeutet',
  ellipsis: 'Auslassungspunkte stehen für das, was von der Anfrage abhängt.',
  status: 'Status',
  anyStatus: 'Der Status hängt von der Anfrage ab.',
  remedy: 'Was zu tun ist',
  origin: 'Woher er kommt',
  services: {
    fundraising: 'Spenden',
    calendar:
      'Kalender, der in der Form von WordPress antwortet: Der Code steht in `code`, der Status in `data.status`',
    platform: 'Alle Teile: Website, Zugänge, Anmeldung, Grenzen',
    web: 'Einbettungen'
  },
  groups: {
    fundraising: 'Spenden',
    calendar: 'Kalender, in der Form von WordPress',
    platform: 'Alle Teile',
    web: 'Einbettungen'
  },
  remedies: {
    400: 'Berichtigen Sie die Anfrage. Sind Felder falsch, stehen alle auf einmal in `errors`, jedes mit JSON Pointer, Code und Meldung; beim Kalender in `data.params`. Dieselbe Anfrage noch einmal zu senden, hilft nicht.',
    401: 'Senden Sie gültige Zugangsdaten: einen API-Schlüssel oder das Token einer Sitzung als `Authorization: Bearer`, oder einen Schlüssel als Passwort von Basic.',
    403: 'Verwenden Sie Zugangsdaten mit einer Rolle, die das darf, oder tun Sie zuerst, was die Meldung verlangt. Die Referenz nennt die Rollen jeder Operation.',
    404: 'Prüfen Sie die Adresse und die Kennungen darin. Auch Gelöschtes und was mit diesen Zugangsdaten nicht sichtbar ist, wird nicht gefunden.',
    405: 'Verwenden Sie eine der Methoden in der Kopfzeile `Allow`.',
    409: 'Die Anfrage passt nicht zum jetzigen Stand. Lesen Sie neu, tun Sie, was die Meldung verlangt, und wiederholen Sie dann die Anfrage.',
    410: 'Das gab es, und es ist endgültig weg. Fragen Sie nicht mehr danach, oder beginnen Sie neu.',
    412: 'Jemand hat etwas geändert, nachdem Sie gelesen haben. Lesen Sie neu, entscheiden Sie neu, und senden Sie das neue `ETag` als `If-Match`.',
    413: 'Senden Sie weniger: einen kleineren Inhalt oder eine kleinere Datei.',
    415: 'Senden Sie den Inhalt mit einem `Content-Type`, den diese Operation annimmt.',
    422: 'Die Anfrage ist wohlgeformt, verletzt aber eine Regel, die die Meldung nennt. Ändern Sie die Werte, und senden Sie sie noch einmal.',
    429: 'Warten Sie so viele Sekunden, wie `Retry-After` sagt, und versuchen Sie es dann noch einmal.',
    500: 'Der Fehler liegt bei uns. Nennen Sie denen, die diese Website betreuen, die `X-Request-Id`: Im Protokoll steht mehr.',
    503: 'Versuchen Sie es nach so vielen Sekunden noch einmal, wie `Retry-After` sagt. Mit einem `Idempotency-Key` geschieht nichts doppelt.'
  }
}

export const problemStrings: Record<Language, ProblemStrings> = { en, de }

/** Codes whose message is put together while the program runs, so that the catalogue cannot have it. */
export const computedTexts: Record<string, Text> = {
  'bad-credentials': {
    en: 'The key is not known, was revoked or has expired.',
    de: 'Der Schlüssel ist unbekannt, widerrufen oder abgelaufen.'
  },
  incorrect_password: {
    en: 'The key is not known, was revoked or has expired.',
    de: 'Der Schlüssel ist unbekannt, widerrufen oder abgelaufen.'
  },
  'entry-cannot-be-assigned': {
    en: 'The transaction of the bank statement cannot be assigned to a donation: the message says why.',
    de: 'Der Umsatz des Kontoauszugs lässt sich keiner Spende zuordnen: Die Meldung sagt, warum.'
  },
  'no-qr-code': {
    en: 'There is no QR code for this transfer: the message says what is missing, such as a valid IBAN or euros as the currency.',
    de: 'Für diese Überweisung gibt es keinen QR-Code: Die Meldung sagt, was fehlt, etwa eine gültige IBAN oder Euro als Währung.'
  },
  'not-ready': {
    en: 'The process cannot handle requests now: it is stopping, or the database does not answer.',
    de: 'Der Prozess kann gerade keine Anfragen beantworten: Er wird beendet, oder die Datenbank antwortet nicht.'
  },
  'own-factor-missing': {
    en: 'You cannot require a second factor of your own role before you have one yourself.',
    de: 'Sie können von Ihrer eigenen Rolle keinen zweiten Faktor verlangen, bevor Sie selbst einen haben.'
  },
  'second-person-needed': {
    en: 'Another IBAN, or turning this rule off, has to be confirmed by a second person. Request it with POST /account-requests.',
    de: 'Eine andere IBAN, oder dass diese Regel nicht mehr gilt, muss eine zweite Person bestätigen. Beantragen Sie es mit POST /account-requests.'
  },
  'set-by-environment': {
    en: 'This setting is fixed by the environment of the server and cannot be changed here.',
    de: 'Diese Einstellung ist in der Umgebung des Servers festgelegt und lässt sich hier nicht ändern.'
  },
  'too-many-guesses': {
    en: 'Too many wrong passwords of protected events, venues or organizers. Try again later.',
    de: 'Zu viele falsche Passwörter für geschützte Termine, Orte oder Veranstalter. Bitte später noch einmal versuchen.'
  }
}
