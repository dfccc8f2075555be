import type { Language } from '#platform/language.ts'

/** Annual letters in the console. */
const en = {
  title: 'Annual letters',
  lead: 'A letter of thanks with the sum and the list of gifts of a year, as PDF for an envelope with a window. It is not a donation receipt.',
  part: 'Annual letters',
  none: 'No letters yet.',
  write: 'Write letter',
  year: 'Year',
  language: 'Language',
  ownLanguage: 'Language of the donor',
  needsAddress: 'A letter needs a postal address. Add it to one of the donations.',
  nothingReceived: 'A letter needs money received.',
  open: (year: string) => `Letter for ${year} (PDF)`,
  done: (year: string) => `Letter for ${year} written.`,
  ofYear: (year: string) => `Letters for ${year}`,
  written: (count: string) => `Written: ${count}`,
  due: (count: string) => `Due: ${count}`,
  withoutAddress: (count: string) => `Left out, no postal address: ${count}`,
  writeAll: (count: string) => `Write letters that are due (${count})`,
  started: 'The letters are being written in the background. Refresh the page to see how many are done.',
  refresh: 'Refresh',
  print: 'Print all letters of the year (PDF)',
  show: 'Show',
  texts: 'Text of the letters',
  textsHint:
    'The words before and after the list of gifts. {year} and {amount} are replaced. Letters that were written before stay as they are.',
  textIn: { en: 'English', de: 'German' },
  opening: 'Before the list',
  closing: 'After the list',
  save: 'Save text',
  saved: 'Text saved.'
}

export type LetterStrings = typeof en

const de: LetterStrings = {
  title: 'Jahresbriefe',
  lead: 'Ein Dankesbrief mit der Summe und der Liste der Spenden eines Jahres, als PDF für einen Fensterumschlag. Er ist keine Zuwendungsbestätigung.',
  part: 'Jahresbriefe',
  none: 'Noch keine Briefe.',
  write: 'Brief schreiben',
  year: 'Jahr',
  language: 'Sprache',
  ownLanguage: 'Sprache der Person',
  needsAddress: 'Für einen Brief fehlt die Anschrift. Ergänzen Sie sie bei einer der Spenden.',
  nothingReceived: 'Für einen Brief muss Geld eingegangen sein.',
  open: year => `Brief für ${year} (PDF)`,
  done: year => `Brief für ${year} geschrieben.`,
  ofYear: year => `Briefe für ${year}`,
  written: count => `Geschrieben: ${count}`,
  due: count => `Fällig: ${count}`,
  withoutAddress: count => `Ausgelassen, weil die Anschrift fehlt: ${count}`,
  writeAll: count => `Fällige Briefe schreiben (${count})`,
  started: 'Die Briefe werden im Hintergrund geschrieben. Aktualisieren Sie die Seite, um den Stand zu sehen.',
  refresh: 'Aktualisieren',
  print: 'Alle Briefe des Jahres drucken (PDF)',
  show: 'Anzeigen',
  texts: 'Text der Briefe',
  textsHint:
    'Die Worte vor und nach der Liste der Spenden. {year} und {amount} werden ersetzt. Bereits geschriebene Briefe bleiben, wie sie sind.',
  textIn: { en: 'Englisch', de: 'Deutsch' },
  opening: 'Vor der Liste',
  closing: 'Nach der Liste',
  save: 'Text speichern',
  saved: 'Text gespeichert.'
}

export const letterStrings: Record<Language, LetterStrings> = { en, de }
