import type { Language } from '#platform/language.ts'

/** Text between backticks is code. */
const en = {
  quickStart: {
    title: 'Quick start',
    paragraphs: [
      'These lines work on this very site. Reading needs no key.',
      'Writing needs one. Those who run this site make it in the console, under API keys. This line makes an event:'
    ]
  },
  authentication: {
    title: 'Authentication',
    paragraphs: [
      'Send the key as `Authorization: Bearer $KEY`, or as the password of Basic credentials with any user name. A wrong key is refused everywhere with 401, a key whose role does not suffice with 403.',
      'Donating and everything that visitors can see needs no key. These are the roles; `admin` may do everything:'
    ]
  },
  errors: {
    title: 'Errors',
    paragraphs: [
      'A refusal changes nothing and says what would be right: for programs in `code`, which is stable, for people in English or German. Everything that is wrong is listed at once. Every code has a page, to which `type` leads; `/problems` lists them all.',
      'Donations answer with `application/problem+json` (RFC 9457):',
      'The calendar answers as The Events Calendar does:',
      'In short: 400 the request is not valid, 401 no key, 403 not with this role, 404 not there, 409 and 422 a rule of the trade, 410 in the trash, 412 changed meanwhile, 413 too large, 415 not JSON, 429 too many, 503 try again. Of our own mistakes, 500, please tell us the `X-Request-Id`.'
    ]
  },
  paging: {
    title: 'Paging',
    paragraphs: [
      'Campaigns and donations: `limit`, up to 200, and `cursor`. The header `Link` has the address of the next page, `X-Total-Count` the number of all. `GET /campaigns` without `limit` answers with all of them.',
      'Calendar: `page` and `per_page`, up to 50. `next_rest_url` and `previous_rest_url` in the answer keep all filters, `total` and `total_pages` say how much there is.'
    ]
  },
  languages: {
    title: 'Languages',
    paragraphs: [
      'Texts of the calendar exist in English, German or both: choose by `language=de` in the address or by `Accept-Language`. What does not exist in one language comes in the other; `language` of each thing says which one it is, `translations` which there are. Messages follow `Accept-Language` too.'
    ]
  },
  dates: {
    title: 'Amounts and dates',
    paragraphs: [
      'Amounts are numbers with at most two decimals. Moments of campaigns and donations are ISO 8601 in UTC. The calendar speaks in local times such as `2027-06-05 19:30:00` with the time zone beside them, and understands “next saturday 19:30” where it takes a date.'
    ]
  },
  limits: {
    title: 'Limits',
    paragraphs: [
      'Requests are counted by address and minute; donations have a smaller limit of their own. `RateLimit-Policy` tells the limits of this site, `RateLimit` what is left, and a 429 has `Retry-After` in seconds. A body may have 1 MB.'
    ]
  },
  idempotency: {
    title: 'Sending twice without harm',
    paragraphs: [
      'When a connection breaks, nobody knows whether the donation was made. Send every creating POST with an `Idempotency-Key` of your own, such as a UUID: the same key with the same body answers what it answered the first time, marked by `Idempotent-Replayed: true`, and makes nothing twice. Keys are kept for 24 hours.'
    ]
  },
  conditions: {
    title: 'Conditional requests',
    paragraphs: [
      'Every answer to a GET has an `ETag`. Send it back as `If-None-Match`, and you get an empty 304 as long as nothing has changed. Send it as `If-Match` with a change, and the change is refused with 412 if somebody was faster. Run this line twice, and the second answer is the 304:'
    ]
  },
  compatibility: {
    title: 'Clients of The Events Calendar',
    paragraphs: [
      'The calendar speaks the REST interface, version 1, of the WordPress plugin The Events Calendar. A client of it needs only another host: the same answers are under `/wp-json/tribe/events/v1`, and every page carries the tags and headers by which clients find it.',
      'Some things are better on purpose: an update leaves alone what it does not mention, links keep their filters, several tags are an “or”, unknown things are 404, and nothing unpublished can be seen. Not there are `_jsonp` and `_pretty`.'
    ]
  },
  documents: {
    title: 'OpenAPI documents',
    paragraphs: ['This reference is made from documents that your tools can read as well:']
  },
  roles: {
    viewer: 'nothing more than everybody',
    contributor: 'write own drafts, which an editor publishes',
    author: 'write and publish own events, venues and organizers; make categories; upload images',
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
      'Diese Zeilen funktionieren auf genau dieser Website. Zum Lesen braucht es keinen Schlüssel.',
      'Zum Schreiben braucht es einen. Wer diese Website betreut, erstellt ihn im Verwaltungsbereich unter API-Schlüssel. Diese Zeile legt einen Termin an:'
    ]
  },
  authentication: {
    title: 'Anmeldung',
    paragraphs: [
      'Senden Sie den Schlüssel als `Authorization: Bearer $KEY` oder als Passwort von Basic mit beliebigem Benutzernamen. Ein falscher Schlüssel wird überall mit 401 abgelehnt, einer mit zu kleiner Rolle mit 403.',
      'Spenden und alles, was auch Besucher sehen, geht ohne Schlüssel. Das sind die Rollen; `admin` darf alles:'
    ]
  },
  errors: {
    title: 'Fehler',
    paragraphs: [
      'Eine Ablehnung ändert nichts und sagt, was richtig wäre: für Programme in `code`, das sich nie ändert, für Menschen auf Deutsch oder Englisch. Alles, was nicht stimmt, steht auf einmal darin. Jeder Code hat eine Seite, zu der `type` führt; unter `/problems` stehen alle.',
      'Die Spenden antworten mit `application/problem+json` (RFC 9457):',
      'Der Kalender antwortet wie The Events Calendar:',
      'In Kürze: 400 die Anfrage ist ungültig, 401 kein Schlüssel, 403 nicht mit dieser Rolle, 404 nicht da, 409 und 422 eine fachliche Regel, 410 im Papierkorb, 412 inzwischen geändert, 413 zu groß, 415 kein JSON, 429 zu viele, 503 noch einmal versuchen. Bei eigenen Fehlern, 500, nennen Sie uns bitte die `X-Request-Id`.'
    ]
  },
  paging: {
    title: 'Blättern',
    paragraphs: [
      'Spendenaktionen und Spenden: `limit`, bis 200, und `cursor`. In der Kopfzeile `Link` steht die Adresse der nächsten Seite, in `X-Total-Count` die Zahl aller. `GET /campaigns` ohne `limit` liefert alle.',
      'Kalender: `page` und `per_page`, bis 50. `next_rest_url` und `previous_rest_url` in der Antwort behalten alle Filter, `total` und `total_pages` sagen, wie viel es gibt.'
    ]
  },
  languages: {
    title: 'Sprachen',
    paragraphs: [
      'Texte des Kalenders gibt es auf Deutsch, auf Englisch oder in beiden Sprachen: Gewählt wird mit `language=de` in der Adresse oder mit `Accept-Language`. Was es in der einen Sprache nicht gibt, kommt in der anderen; `language` sagt, welche es ist, `translations`, welche es gibt. Auch Meldungen richten sich nach `Accept-Language`.'
    ]
  },
  dates: {
    title: 'Beträge und Zeiten',
    paragraphs: [
      'Beträge sind Zahlen mit höchstens zwei Nachkommastellen. Zeitpunkte bei Aktionen und Spenden sind ISO 8601 in UTC. Der Kalender nennt Ortszeiten wie `2027-06-05 19:30:00` mit der Zeitzone daneben und versteht, wo er ein Datum nimmt, auch „next saturday 19:30“.'
    ]
  },
  limits: {
    title: 'Grenzen',
    paragraphs: [
      'Anfragen werden je Adresse und Minute gezählt; für Spenden gilt eine eigene, kleinere Grenze. `RateLimit-Policy` nennt die Grenzen dieser Website, `RateLimit` den Rest, und eine 429 trägt `Retry-After` in Sekunden. Eine Anfrage darf 1 MB groß sein.'
    ]
  },
  idempotency: {
    title: 'Zweimal senden ohne Schaden',
    paragraphs: [
      'Bricht eine Verbindung ab, weiß niemand, ob die Spende ankam. Senden Sie jedes POST, das etwas anlegt, mit einem eigenen `Idempotency-Key`, etwa einer UUID: Derselbe Schlüssel mit demselben Inhalt bekommt die Antwort vom ersten Mal, erkennbar an `Idempotent-Replayed: true`, und nichts entsteht doppelt. Schlüssel gelten 24 Stunden.'
    ]
  },
  conditions: {
    title: 'Bedingte Anfragen',
    paragraphs: [
      'Jede Antwort auf ein GET hat ein `ETag`. Senden Sie es als `If-None-Match` zurück, so kommt eine leere 304, solange sich nichts geändert hat. Senden Sie es bei einer Änderung als `If-Match`, so wird sie mit 412 abgelehnt, falls jemand schneller war. Führen Sie diese Zeile zweimal aus, so ist die zweite Antwort die 304:'
    ]
  },
  compatibility: {
    title: 'Clients von The Events Calendar',
    paragraphs: [
      'Der Kalender spricht die REST-Schnittstelle, Version 1, des WordPress-Plugins The Events Calendar. Ein Client dafür braucht nur einen anderen Host: Dieselben Antworten gibt es unter `/wp-json/tribe/events/v1`, und jede Seite trägt die Angaben, an denen Clients sie erkennen.',
      'Manches ist mit Absicht besser: Eine Änderung lässt in Ruhe, was sie nicht nennt, Verweise behalten ihre Filter, mehrere Schlagwörter sind ein „oder“, Unbekanntes ist 404, und nichts Unveröffentlichtes ist zu sehen. Nicht vorhanden sind `_jsonp` und `_pretty`.'
    ]
  },
  documents: {
    title: 'OpenAPI-Dokumente',
    paragraphs: ['Diese Referenz entsteht aus Dokumenten, die auch Ihre Werkzeuge lesen können:']
  },
  roles: {
    viewer: 'nicht mehr als alle',
    contributor: 'eigene Entwürfe schreiben, die jemand aus der Redaktion veröffentlicht',
    author: 'eigene Termine, Orte und Veranstalter schreiben und veröffentlichen; Kategorien anlegen; Bilder hochladen',
    editor: 'alles im Kalender, dazu Spendenaktionen',
    treasurer: 'Spendenaktionen und Spenden samt den Angaben der Spendenden',
    admin: 'alles'
  },
  roleColumns: { role: 'Rolle', may: 'Darf' },
  listCampaigns: 'Alle Spendenaktionen mit ihrem Spendenstand',
  listEvents: 'Die nächsten drei Termine',
  oneDocument: { all: 'alles', campaigns: 'Spenden', calendar: 'Kalender' }
}

export const guideStrings: Record<Language, GuideStrings> = { en, de }
