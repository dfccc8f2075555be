import type { Language } from '#platform/language.ts'

/** Sample content: its badge, and how to remove it. */
const en = {
  badge: 'Sample',
  title: 'Sample content',
  remove: 'Remove sample content',
  removeTitle: 'Remove sample content?',
  removeText:
    'It is removed permanently, together with the donations to sample campaigns. What you have edited is yours and stays, and so does what real money or your own content rests on.',
  nothingLeft: 'There is no sample content to remove.',
  keep: 'Keep it',
  removed: (what: string) => `Removed: ${what}.`,
  removedNothing: 'Nothing was removed.',
  keptTitle: 'Some of it stays',
  keptText: 'These are kept. Once the reason is gone, you can remove them too.',
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
    'Sie werden endgültig gelöscht, mitsamt den Spenden an Beispiel-Spendenaktionen. Was Sie bearbeitet haben, gehört Ihnen und bleibt; ebenso bleibt, worauf echtes Geld oder Ihre eigenen Inhalte beruhen.',
  nothingLeft: 'Es sind keine Beispielinhalte mehr da.',
  keep: 'Behalten',
  removed: what => `Entfernt: ${what}.`,
  removedNothing: 'Nichts wurde entfernt.',
  keptTitle: 'Einiges bleibt',
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
