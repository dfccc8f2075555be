import type { Language } from '#platform/language.ts'

/** Text between backticks is code. */
const en = {
  quickStart: {
    title: 'Quick start',
    paragraphs: [
      'These commands work on this site. Reading needs no key.',
      'Writing needs a key. Admins of this site create it in the console, under API keys. This command creates an event:'
    ]
  },
  authentication: {
    title: 'Authentication',
    paragraphs: [
      'Send the key as `Authorization: Bearer $KEY`, or as the password of Basic credentials with any user name. An invalid key gets 401, a key without the required role 403.',
      'Donating and public data need no key. These are the roles; `admin` may do everything:'
    ]
  },
  errors: {
    title: 'Errors',
    paragraphs: [
      'An error response changes nothing. `code` is stable and meant for programs; the message is in English or German. All errors of a request are listed at once. `type` is the URL of a page about the code; `/problems` lists them all.',
      'Donations respond with `application/problem+json` (RFC 9457):',
      'The calendar responds like The Events Calendar:',
      'Status codes: 400 invalid request, 401 not authenticated, 403 wrong role, 404 not found, 409 and 422 conflict with a rule, 410 in the trash, 412 modified in the meantime, 413 too large, 415 not JSON, 429 too many requests, 503 unavailable, try again. For 500 please tell us the `X-Request-Id`.'
    ]
  },
  paging: {
    title: 'Paging',
    paragraphs: [
      'Campaigns and donations: `limit`, up to 200, and `cursor`. The header `Link` has the URL of the next page, `X-Total-Count` the total. `GET /campaigns` without `limit` returns all.',
      'Calendar: `page` and `per_page`, up to 50. `next_rest_url` and `previous_rest_url` in the response keep all filters, `total` and `total_pages` are the totals.'
    ]
  },
  languages: {
    title: 'Languages',
    paragraphs: [
      'Texts of the calendar exist in English, German or both: choose with `language=de` in the URL or `Accept-Language`. If a text is missing in one language, the other one is returned; `language` says which one it is, `translations` which exist. Messages follow `Accept-Language` too.'
    ]
  },
  dates: {
    title: 'Amounts and dates',
    paragraphs: [
      'Amounts are numbers with at most two decimals. Moments of campaigns and donations are ISO 8601 in UTC. The calendar uses local times such as `2027-06-05 19:30:00` with the time zone beside them, and accepts natural-language dates such as “next saturday 19:30”.'
    ]
  },
  limits: {
    title: 'Limits',
    paragraphs: [
      'Requests are limited per IP address and minute; donations have a lower limit. `RateLimit-Policy` has the limits of this site, `RateLimit` the remaining requests, and a 429 has `Retry-After` in seconds. A body may have 1 MB.'
    ]
  },
  idempotency: {
    title: 'Idempotency',
    paragraphs: [
      'After a lost connection, retry safely: send every creating POST with an `Idempotency-Key`, such as a UUID. The same key with the same body returns the first response, marked by `Idempotent-Replayed: true`, and creates nothing twice. Keys are kept for 24 hours.'
    ]
  },
  conditions: {
    title: 'Conditional requests',
    paragraphs: [
      'Every GET response has an `ETag`. Send it as `If-None-Match` to get an empty 304 if nothing has changed. Send it as `If-Match` with a change to get 412 if the resource was modified in the meantime. Run this line twice; the second response is the 304:'
    ]
  },
  compatibility: {
    title: 'Clients of The Events Calendar',
    paragraphs: [
      'The calendar speaks the REST interface, version 1, of the WordPress plugin The Events Calendar. A client of it needs only another host: the same responses are under `/wp-json/tribe/events/v1`, and every page carries the tags and headers by which clients find it.',
      'Intentional differences: an update keeps omitted fields, links keep their filters, several tags are combined with “or”, unknown resources are 404, and unpublished content is never visible. `_jsonp` and `_pretty` are not supported.'
    ]
  },
  documents: {
    title: 'OpenAPI documents',
    paragraphs: ['This reference is generated from these documents:']
  },
  roles: {
    viewer: 'same access as the public',
    contributor: 'write own drafts, which an editor publishes',
    author: 'write and publish own events, venues and organizers; create categories; upload images',
    editor: 'everything in the calendar, and campaigns',
    treasurer: 'campaigns and donations, with the details of donors',
    admin: 'everything'
  } as Record<string, string>,
  roleColumns: { role: 'Role', may: 'May' },
  listCampaigns: 'All campaigns, with what has been donated so far',
  listEvents: 'The next three events',
  oneDocument: { all: 'everything', campaigns: 'donations', calendar: 'calendar' }
}

export type GuideStrings = typeof en

const de: GuideStrings = {
  quickStart: {
    title: 'Schnellstart',
    paragraphs: [
      'Diese Befehle funktionieren auf dieser Website. Zum Lesen ist kein Schlüssel nötig.',
      'Zum Schreiben ist ein Schlüssel nötig. Wer diese Website betreut, erstellt ihn in der Verwaltung unter API-Schlüssel. Dieser Befehl legt einen Termin an:'
    ]
  },
  authentication: {
    title: 'Authentifizierung',
    paragraphs: [
      'Senden Sie den Schlüssel als `Authorization: Bearer $KEY` oder als Passwort von Basic mit beliebigem Benutzernamen. Ein ungültiger Schlüssel erhält 401, einer ohne ausreichende Berechtigung 403.',
      'Spenden und öffentliche Daten gehen ohne Schlüssel. Das sind die Rollen; `admin` darf alles:'
    ]
  },
  errors: {
    title: 'Fehler',
    paragraphs: [
      'Eine Fehlerantwort ändert nichts. `code` ist stabil und für Programme gedacht; die Meldung ist auf Deutsch oder Englisch. Alle Fehler einer Anfrage werden auf einmal genannt. `type` ist die URL einer Seite zu diesem Code; `/problems` listet alle auf.',
      'Die Spenden antworten mit `application/problem+json` (RFC 9457):',
      'Der Kalender antwortet wie The Events Calendar:',
      'Statuscodes: 400 ungültige Anfrage, 401 nicht authentifiziert, 403 falsche Rolle, 404 nicht gefunden, 409 und 422 Konflikt mit einer Regel, 410 im Papierkorb, 412 inzwischen geändert, 413 zu groß, 415 kein JSON, 429 zu viele Anfragen, 503 nicht verfügbar, noch einmal versuchen. Bei 500 nennen Sie uns bitte die `X-Request-Id`.'
    ]
  },
  paging: {
    title: 'Paginierung',
    paragraphs: [
      'Spendenaktionen und Spenden: `limit`, bis 200, und `cursor`. Die Kopfzeile `Link` enthält die URL der nächsten Seite, `X-Total-Count` die Gesamtzahl. `GET /campaigns` ohne `limit` liefert alle.',
      'Kalender: `page` und `per_page`, bis 50. `next_rest_url` und `previous_rest_url` in der Antwort behalten alle Filter, `total` und `total_pages` sind die Gesamtzahlen.'
    ]
  },
  languages: {
    title: 'Sprachen',
    paragraphs: [
      'Texte des Kalenders gibt es auf Deutsch, auf Englisch oder in beiden Sprachen: Gewählt wird mit `language=de` in der URL oder mit `Accept-Language`. Fehlt ein Text in einer Sprache, kommt die andere; `language` sagt, welche es ist, `translations`, welche es gibt. Auch Meldungen richten sich nach `Accept-Language`.'
    ]
  },
  dates: {
    title: 'Beträge und Zeiten',
    paragraphs: [
      'Beträge sind Zahlen mit höchstens zwei Nachkommastellen. Zeitpunkte bei Spendenaktionen und Spenden sind ISO 8601 in UTC. Der Kalender nennt Ortszeiten wie `2027-06-05 19:30:00` mit der Zeitzone daneben und versteht auch natürlichsprachliche Angaben wie „next saturday 19:30“.'
    ]
  },
  limits: {
    title: 'Grenzen',
    paragraphs: [
      'Anfragen werden je IP-Adresse und Minute begrenzt; für Spenden gilt eine eigene, kleinere Grenze. `RateLimit-Policy` nennt die Grenzen dieser Website, `RateLimit` den Rest, und eine 429 trägt `Retry-After` in Sekunden. Eine Anfrage darf 1 MB groß sein.'
    ]
  },
  idempotency: {
    title: 'Idempotenz',
    paragraphs: [
      'Nach einem Verbindungsabbruch können Sie gefahrlos wiederholen: Senden Sie jedes POST, das etwas anlegt, mit einem `Idempotency-Key`, etwa einer UUID. Derselbe Schlüssel mit demselben Inhalt bekommt die Antwort vom ersten Mal, erkennbar an `Idempotent-Replayed: true`, und nichts entsteht doppelt. Schlüssel gelten 24 Stunden.'
    ]
  },
  conditions: {
    title: 'Bedingte Anfragen',
    paragraphs: [
      'Jede Antwort auf ein GET hat ein `ETag`. Senden Sie es als `If-None-Match` zurück, so kommt eine leere 304, solange sich nichts geändert hat. Senden Sie es bei einer Änderung als `If-Match`, so wird sie mit 412 abgelehnt, falls die Ressource inzwischen geändert wurde. Führen Sie diese Zeile zweimal aus, so ist die zweite Antwort die 304:'
    ]
  },
  compatibility: {
    title: 'Clients von The Events Calendar',
    paragraphs: [
      'Der Kalender spricht die REST-Schnittstelle, Version 1, des WordPress-Plugins The Events Calendar. Ein Client dafür braucht nur einen anderen Host: Dieselben Antworten gibt es unter `/wp-json/tribe/events/v1`, und jede Seite trägt die Angaben, an denen Clients sie erkennen.',
      'Beabsichtigte Unterschiede: Eine Änderung behält nicht genannte Felder, Verweise behalten ihre Filter, mehrere Schlagwörter sind mit „oder“ verknüpft, Unbekanntes ist 404, und Unveröffentlichtes ist nie sichtbar. `_jsonp` und `_pretty` werden nicht unterstützt.'
    ]
  },
  documents: {
    title: 'OpenAPI-Dokumente',
    paragraphs: ['Diese Referenz wird aus diesen Dokumenten erzeugt:']
  },
  roles: {
    viewer: 'nur öffentliche Daten lesen',
    contributor: 'eigene Entwürfe schreiben, die die Redaktion veröffentlicht',
    author:
      'eigene Termine, Veranstaltungsorte und Veranstalter schreiben und veröffentlichen; Kategorien anlegen; Bilder hochladen',
    editor: 'alles im Kalender, dazu Spendenaktionen',
    treasurer: 'Spendenaktionen und Spenden samt den Angaben der Spenderinnen und Spender',
    admin: 'alles'
  },
  roleColumns: { role: 'Rolle', may: 'Darf' },
  listCampaigns: 'Alle Spendenaktionen mit ihrem Spendenstand',
  listEvents: 'Die nächsten drei Termine',
  oneDocument: { all: 'alles', campaigns: 'Spenden', calendar: 'Kalender' }
}

export const guideStrings: Record<Language, GuideStrings> = { en, de }
