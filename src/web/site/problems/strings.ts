import type { Text } from '#platform/language.ts'

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
