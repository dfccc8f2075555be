import type { Language } from '#platform/language.ts'

/** Texts of the queue of suggestions. */
const en = {
  title: 'Suggestions',
  lead: 'Events that visitors have suggested. Nothing of them is public before you accept it.',
  states: { open: 'Waiting', accepted: 'Accepted', declined: 'Declined' },
  none: { open: 'No suggestion waits.', accepted: 'No accepted suggestions.', declined: 'No declined suggestions.' },
  off: 'Visitors cannot suggest events at the moment: it is switched off in the settings.',
  feed: 'Feed of the queue',
  feedHint: 'For feed readers, with an API key of the role editor as the password.',
  gone: 'Deleted event',
  when: 'When',
  where: 'Where',
  organizer: 'Organizer',
  category: 'Category',
  cost: 'Price',
  website: 'Website',
  language: 'Language',
  sender: 'Sent by',
  erased: 'erased',
  unconfirmed: 'address not confirmed',
  sentAt: 'Sent',
  newPlace: 'new, published with the event',
  message: 'Message to the editors',
  duplicates: 'Already in the calendar?',
  because: { title: 'similar title on the same day', venue: 'same venue at the same time' },
  accept: 'Accept',
  edit: 'Edit first',
  decline: 'Decline …',
  declineNow: 'Decline',
  answer: 'Email to the sender',
  answerHint: 'If this site sends email: it says that the event was not accepted, and then this text.',
  reason: 'Note for editors',
  decided: (state: string, who: string, at: string) => `${state} on ${at}: ${who}.`,
  note: 'Note',
  wroteTo: 'Text to the sender',
  toEvent: 'To the event',
  erase: 'Erase sender',
  eraseTitle: 'Erase the data of the sender?',
  eraseText:
    'Name, email address and messages are erased in all suggestions of this address. This cannot be undone. The events stay.',
  erasedNow: 'The data of the sender is erased.',
  accepted: 'Accepted: the event is in the calendar.',
  declined: 'Declined: the event is in the trash.'
}

export type SuggestionStrings = typeof en

const de: SuggestionStrings = {
  title: 'Vorschläge',
  lead: 'Termine, die Besucher vorgeschlagen haben. Nichts davon ist öffentlich, bevor Sie es annehmen.',
  states: { open: 'Wartend', accepted: 'Angenommen', declined: 'Abgelehnt' },
  none: {
    open: 'Kein Vorschlag wartet.',
    accepted: 'Keine angenommenen Vorschläge.',
    declined: 'Keine abgelehnten Vorschläge.'
  },
  off: 'Im Moment kann niemand Termine vorschlagen: Es ist in den Einstellungen ausgeschaltet.',
  feed: 'Feed der Vorschläge',
  feedHint: 'Für Feedreader, mit einem API-Schlüssel der Rolle Redaktion als Passwort.',
  gone: 'Gelöschter Termin',
  when: 'Wann',
  where: 'Wo',
  organizer: 'Veranstalter',
  category: 'Kategorie',
  cost: 'Preis',
  website: 'Website',
  language: 'Sprache',
  sender: 'Gesendet von',
  erased: 'gelöscht',
  unconfirmed: 'Adresse nicht bestätigt',
  sentAt: 'Gesendet',
  newPlace: 'neu, erscheint mit dem Termin',
  message: 'Nachricht an die Redaktion',
  duplicates: 'Schon im Kalender?',
  because: { title: 'ähnlicher Titel am selben Tag', venue: 'selber Ort zur selben Zeit' },
  accept: 'Annehmen',
  edit: 'Erst bearbeiten',
  decline: 'Ablehnen …',
  declineNow: 'Ablehnen',
  answer: 'E-Mail an die Absenderin oder den Absender',
  answerHint:
    'Wenn diese Website E-Mails versendet: Darin steht, dass der Termin nicht aufgenommen wurde, und danach dieser Text.',
  reason: 'Notiz für die Redaktion',
  decided: (state, who, at) => `${state} am ${at}: ${who}.`,
  note: 'Notiz',
  wroteTo: 'Text der E-Mail',
  toEvent: 'Zum Termin',
  erase: 'Absender löschen',
  eraseTitle: 'Absenderdaten löschen?',
  eraseText:
    'Name, E-Mail-Adresse und Nachrichten werden in allen Vorschlägen dieser Adresse gelöscht. Das lässt sich nicht rückgängig machen. Die Termine bleiben.',
  erasedNow: 'Die Absenderdaten sind gelöscht.',
  accepted: 'Angenommen: Der Termin steht im Kalender.',
  declined: 'Abgelehnt: Der Termin liegt im Papierkorb.'
}

export const suggestionStrings: Record<Language, SuggestionStrings> = { en, de }
