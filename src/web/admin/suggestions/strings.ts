import type { Language } from '#platform/language.ts'

/** Texts of the queue of suggestions. */
const en = {
  title: 'Suggestions',
  lead: 'Events that visitors have suggested. They are not public until you accept them.',
  states: { open: 'Waiting', accepted: 'Accepted', declined: 'Declined' },
  none: { open: 'No waiting suggestions.', accepted: 'No accepted suggestions.', declined: 'No declined suggestions.' },
  off: 'Visitors cannot suggest events: suggestions are disabled in the settings.',
  feed: 'Feed of the queue',
  feedHint: 'For feed readers, with an API key of the role editor as the password.',
  gone: 'Deleted event',
  when: 'When',
  where: 'Where',
  organizer: 'Organizer',
  category: 'Category',
  cost: 'Cost',
  website: 'Website',
  language: 'Language',
  sender: 'Sent by',
  erased: 'erased',
  unconfirmed: 'email address not confirmed',
  sentAt: 'Sent',
  newPlace: 'new, published with the event',
  message: 'Message to the editors',
  duplicates: 'Possible duplicates',
  because: { title: 'similar title on the same day', venue: 'same venue at the same time' },
  accept: 'Accept',
  edit: 'Edit first',
  decline: 'Decline …',
  declineNow: 'Decline',
  answer: 'Email to the sender',
  answerHint: 'Sent if SMTP is configured: the notice that the event was not accepted, followed by this text.',
  reason: 'Note for editors',
  decided: (state: string, who: string, at: string) => `${state} on ${at}: ${who}.`,
  note: 'Note',
  wroteTo: 'Text to the sender',
  toEvent: 'To the event',
  erase: 'Erase sender data',
  eraseTitle: 'Erase sender data?',
  eraseText:
    'Name, email address and messages are erased in all suggestions of this email address. This cannot be undone. The events are kept.',
  erasedNow: 'Sender data erased.',
  accepted: 'Accepted: the event is in the calendar.',
  declined: 'Declined: the event is in the trash.'
}

export type SuggestionStrings = typeof en

const de: SuggestionStrings = {
  title: 'Vorschläge',
  lead: 'Termine, die Besucherinnen und Besucher vorgeschlagen haben. Sie sind erst öffentlich, wenn Sie sie annehmen.',
  states: { open: 'Wartend', accepted: 'Angenommen', declined: 'Abgelehnt' },
  none: {
    open: 'Keine wartenden Vorschläge.',
    accepted: 'Keine angenommenen Vorschläge.',
    declined: 'Keine abgelehnten Vorschläge.'
  },
  off: 'Vorschläge sind in den Einstellungen deaktiviert.',
  feed: 'Feed der Vorschläge',
  feedHint: 'Für Feedreader, mit einem API-Schlüssel der Rolle Redaktion als Passwort.',
  gone: 'Gelöschter Termin',
  when: 'Wann',
  where: 'Wo',
  organizer: 'Veranstalter',
  category: 'Kategorie',
  cost: 'Eintritt',
  website: 'Website',
  language: 'Sprache',
  sender: 'Gesendet von',
  erased: 'gelöscht',
  unconfirmed: 'E-Mail-Adresse nicht bestätigt',
  sentAt: 'Gesendet',
  newPlace: 'neu, erscheint mit dem Termin',
  message: 'Nachricht an die Redaktion',
  duplicates: 'Mögliche Dubletten',
  because: { title: 'ähnlicher Titel am selben Tag', venue: 'derselbe Veranstaltungsort zur selben Zeit' },
  accept: 'Annehmen',
  edit: 'Erst bearbeiten',
  decline: 'Ablehnen …',
  declineNow: 'Ablehnen',
  answer: 'E-Mail an die Absenderin oder den Absender',
  answerHint:
    'Wird gesendet, wenn der Server E-Mails senden kann: die Mitteilung, dass der Termin nicht aufgenommen wurde, und danach dieser Text.',
  reason: 'Notiz für die Redaktion',
  decided: (state, who, at) => `${state} am ${at}: ${who}.`,
  note: 'Notiz',
  wroteTo: 'Text der E-Mail',
  toEvent: 'Zum Termin',
  erase: 'Absenderdaten löschen',
  eraseTitle: 'Absenderdaten löschen?',
  eraseText:
    'Name, E-Mail-Adresse und Nachrichten werden in allen Vorschlägen dieser E-Mail-Adresse gelöscht. Das kann nicht rückgängig gemacht werden. Die Termine bleiben erhalten.',
  erasedNow: 'Absenderdaten gelöscht.',
  accepted: 'Angenommen: Der Termin ist im Kalender.',
  declined: 'Abgelehnt: Der Termin ist im Papierkorb.'
}

export const suggestionStrings: Record<Language, SuggestionStrings> = { en, de }
