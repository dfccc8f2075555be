import type { Language } from '#platform/language.ts'

/** Sample content: its badge, and how to remove it. */
const en = {
  badge: 'Sample',
  title: 'Sample content',
  remove: 'Remove sample content',
  removeTitle: 'Remove sample content?',
  removeText:
    'It is removed permanently, together with the donations to sample campaigns. Content that you have edited is kept, and so is sample content that real donations or your own content refer to.',
  nothingLeft: 'There is no sample content to remove.',
  keep: 'Keep it',
  removed: (what: string) => `Removed: ${what}.`,
  removedNothing: 'Nothing was removed.',
  keptTitle: 'Some sample content is kept',
  keptText: 'These items are kept. Once the reason no longer applies, you can remove them too.',
  back: 'To the dashboard',
  kinds: {
    campaign: ['campaign', 'campaigns'],
    donation: ['donation', 'donations'],
    event: ['event', 'events'],
    venue: ['venue', 'venues'],
    organizer: ['organizer', 'organizers'],
    category: ['category', 'categories'],
    tag: ['tag', 'tags'],
    image: ['image', 'images']
  } as Record<string, [string, string]>
}

export type SampleStrings = typeof en

const de: SampleStrings = {
  badge: 'Beispiel',
  title: 'Beispielinhalte',
  remove: 'Beispielinhalte entfernen',
  removeTitle: 'Beispielinhalte entfernen?',
  removeText:
    'Sie werden endgültig gelöscht, mitsamt den Spenden an Beispiel-Spendenaktionen. Von Ihnen bearbeitete Inhalte bleiben erhalten, ebenso Beispielinhalte, auf die sich echte Spenden oder Ihre eigenen Inhalte beziehen.',
  nothingLeft: 'Keine Beispielinhalte vorhanden.',
  keep: 'Behalten',
  removed: what => `Entfernt: ${what}.`,
  removedNothing: 'Nichts wurde entfernt.',
  keptTitle: 'Ein Teil der Beispielinhalte bleibt',
  keptText: 'Das bleibt erhalten. Sobald der Grund entfällt, können Sie es ebenfalls entfernen.',
  back: 'Zur Übersicht',
  kinds: {
    campaign: ['Spendenaktion', 'Spendenaktionen'],
    donation: ['Spende', 'Spenden'],
    event: ['Termin', 'Termine'],
    venue: ['Veranstaltungsort', 'Veranstaltungsorte'],
    organizer: ['Veranstalter', 'Veranstalter'],
    category: ['Kategorie', 'Kategorien'],
    tag: ['Schlagwort', 'Schlagwörter'],
    image: ['Bild', 'Bilder']
  }
}

export const sampleStrings: Record<Language, SampleStrings> = { en, de }
