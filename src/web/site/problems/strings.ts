import type { Language, Text } from '#platform/language.ts'

const en = {
  title: 'Problem codes',
  description: 'All error codes of the APIs of this site: what each code means and what to do.',
  lead: 'Every error has a stable code for programs. Choose a code to see what it means and what to do.',
  titleOf: (code: string) => `Problem: ${code}`,
  leadOf: 'An error code of the APIs of this site.',
  all: 'All problem codes',
  reference: 'API reference',
  meaning: 'What it means',
  ellipsis: 'An ellipsis replaces values that depend on the request.',
  status: 'Status',
  anyStatus: 'The status depends on the request.',
  remedy: 'What to do',
  origin: 'Where it comes from',
  services: {
    fundraising: 'Donations',
    calendar: 'Calendar, which responds in the format of WordPress: the code is in `code`, the status in `data.status`',
    platform: 'All services: site, user accounts, sign-in, limits',
    web: 'Embeds'
  } as Record<string, string>,
  groups: {
    fundraising: 'Donations',
    calendar: 'Calendar, in the format of WordPress',
    platform: 'All services',
    web: 'Embeds'
  } as Record<string, string>,
  remedies: {
    400: 'Correct the request. `errors` lists all invalid fields at once, each with a JSON Pointer, a code and a message; the calendar lists them in `data.params`. Sending the same request again does not help.',
    401: 'Send valid credentials: an API key or the token of a session as `Authorization: Bearer`, or a key as the password of Basic credentials.',
    403: 'Use credentials with a role that may do this, or do first what the message asks for. The reference names the roles of every operation.',
    404: 'Check the URL and the ids in it. Deleted resources, and resources that are not visible with these credentials, are not found either.',
    405: 'Use one of the methods in the `Allow` header.',
    409: 'The request conflicts with the current state of the resource. Fetch it again, follow the message, and then repeat the request.',
    410: 'The resource existed and was deleted permanently. Stop requesting it.',
    412: 'The resource was modified in the meantime. Fetch it again and retry with the new `ETag` as `If-Match`.',
    413: 'Send less: a smaller body or a smaller file.',
    415: 'Send the body with a `Content-Type` that this operation accepts.',
    416: 'Request a range within the file; without `Range` the whole file is sent.',
    422: 'The request is well-formed but breaks a rule, which the message names. Change the values and send it again.',
    429: 'Wait as many seconds as `Retry-After` says, then try again.',
    500: 'An error of the server. Report the `X-Request-Id` to the operator of this site: the server log has the details.',
    503: 'Try again after as many seconds as `Retry-After` says. With an `Idempotency-Key` nothing is done twice.'
  } as Record<number, string>
}

export type ProblemStrings = typeof en

const de: ProblemStrings = {
  title: 'Fehlercodes',
  description: 'Alle Fehlercodes der APIs dieser Website: was jeder Code bedeutet und was zu tun ist.',
  lead: 'Jeder Fehler hat einen stabilen Code für Programme. Wählen Sie einen Code, um zu sehen, was er bedeutet und was zu tun ist.',
  titleOf: code => `Fehler: ${code}`,
  leadOf: 'Ein Fehlercode der APIs dieser Website.',
  all: 'Alle Fehlercodes',
  reference: 'API-Referenz',
  meaning: 'Was er bedeutet',
  ellipsis: 'Auslassungspunkte ersetzen Werte, die von der Anfrage abhängen.',
  status: 'Status',
  anyStatus: 'Der Status hängt von der Anfrage ab.',
  remedy: 'Was zu tun ist',
  origin: 'Woher er kommt',
  services: {
    fundraising: 'Spenden',
    calendar: 'Kalender, der im Format von WordPress antwortet: `code` enthält den Code, `data.status` den Status',
    platform: 'Alle Dienste: Website, Zugänge, Anmeldung, Grenzen',
    web: 'Einbettungen'
  },
  groups: {
    fundraising: 'Spenden',
    calendar: 'Kalender, im Format von WordPress',
    platform: 'Alle Dienste',
    web: 'Einbettungen'
  },
  remedies: {
    400: 'Korrigieren Sie die Anfrage. `errors` nennt alle ungültigen Felder auf einmal, jedes mit JSON Pointer, Code und Meldung; beim Kalender `data.params`. Dieselbe Anfrage noch einmal zu senden, hilft nicht.',
    401: 'Senden Sie gültige Zugangsdaten: einen API-Schlüssel oder das Token einer Sitzung als `Authorization: Bearer`, oder einen Schlüssel als Passwort von Basic.',
    403: 'Verwenden Sie Zugangsdaten mit einer Rolle, die das darf, oder tun Sie zuerst, was die Meldung verlangt. Die Referenz nennt die Rollen jeder Operation.',
    404: 'Prüfen Sie die URL und die Kennungen darin. Auch gelöschte Ressourcen und solche, die mit diesen Zugangsdaten nicht sichtbar sind, werden nicht gefunden.',
    405: 'Verwenden Sie eine der Methoden in der Kopfzeile `Allow`.',
    409: 'Die Anfrage passt nicht zum aktuellen Stand der Ressource. Rufen Sie sie neu ab, folgen Sie der Meldung, und wiederholen Sie dann die Anfrage.',
    410: 'Die Ressource gab es, sie ist endgültig gelöscht. Rufen Sie sie nicht mehr ab.',
    412: 'Die Ressource wurde inzwischen geändert. Rufen Sie sie neu ab und wiederholen Sie die Anfrage mit dem neuen `ETag` als `If-Match`.',
    413: 'Senden Sie weniger: einen kleineren Inhalt oder eine kleinere Datei.',
    415: 'Senden Sie den Inhalt mit einem `Content-Type`, den diese Operation annimmt.',
    416: 'Fordern Sie einen Bereich innerhalb der Datei an; ohne `Range` wird die ganze Datei gesendet.',
    422: 'Die Anfrage ist wohlgeformt, verletzt aber eine Regel, die die Meldung nennt. Ändern Sie die Werte, und senden Sie sie noch einmal.',
    429: 'Warten Sie so viele Sekunden, wie `Retry-After` sagt, und versuchen Sie es dann noch einmal.',
    500: 'Ein Fehler des Servers. Nennen Sie dem Betreiber dieser Website die `X-Request-Id`: Das Server-Log enthält die Einzelheiten.',
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
    en: 'The transaction of the bank statement cannot be matched with a donation: the message says why.',
    de: 'Der Umsatz des Kontoauszugs kann keiner Spende zugeordnet werden: Die Meldung sagt, warum.'
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
    de: 'Eine andere IBAN oder das Ausschalten dieser Regel muss eine zweite Person bestätigen. Beantragen Sie es mit POST /account-requests.'
  },
  'set-by-environment': {
    en: 'This setting is fixed by the environment of the server and cannot be changed here.',
    de: 'Diese Einstellung ist in der Umgebung des Servers festgelegt und kann hier nicht geändert werden.'
  },
  'too-many-guesses': {
    en: 'Too many wrong passwords of protected events, venues or organizers. Try again later.',
    de: 'Zu viele falsche Passwörter für geschützte Termine, Veranstaltungsorte oder Veranstalter. Bitte später noch einmal versuchen.'
  }
}
