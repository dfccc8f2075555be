import type { Language } from '#platform/language.ts'

type Sentence = (who: string, name: string) => string

/** Texts of the activity log for donors. */
export const donorActivityStrings: Record<
  Language,
  { verbs: Record<string, string>; special: Record<string, Sentence> }
> = {
  en: {
    verbs: {
      listed: 'list exported',
      merged: 'merged',
      merge_undone: 'merge undone',
      distinguished: 'marked as different people',
      letter_written: 'annual letter written',
      letters_started: 'annual letters started',
      letter_text_changed: 'text of annual letters changed'
    },
    special: {
      'donor.exported': who => `${who} exported a donor’s data`,
      'donor.erased': who => `${who} erased a donor’s data`,
      'donor.listed': who => `${who} exported the list of donors`,
      'donor.merged': who => `${who} merged two donors`,
      'donor.merge_undone': who => `${who} undid a merge of two donors`,
      'donor.distinguished': who => `${who} marked two donors as different people`,
      'donor.noted': who => `${who} added a note to a donor`,
      'donor.note_removed': who => `${who} removed a note from a donor`,
      'donor.letter_written': who => `${who} wrote an annual letter to a donor`,
      'donor.letters_started': who => `${who} started the annual letters of a year`,
      'donor.letter_text_changed': who => `${who} changed the text of the annual letters`
    }
  },
  de: {
    verbs: {
      listed: 'Liste exportiert',
      merged: 'zusammengeführt',
      merge_undone: 'Zusammenführung rückgängig gemacht',
      distinguished: 'als verschiedene Personen markiert',
      letter_written: 'Jahresbrief geschrieben',
      letters_started: 'Jahresbriefe gestartet',
      letter_text_changed: 'Text der Jahresbriefe geändert'
    },
    special: {
      'donor.exported': who => `${who} hat die Daten einer Spenderin oder eines Spenders exportiert`,
      'donor.erased': who => `${who} hat die Personendaten einer Spenderin oder eines Spenders gelöscht`,
      'donor.listed': who => `${who} hat die Liste der Spenderinnen und Spender exportiert`,
      'donor.merged': who => `${who} hat zwei Spender/-innen zusammengeführt`,
      'donor.merge_undone': who => `${who} hat eine Zusammenführung von Spender/-innen rückgängig gemacht`,
      'donor.distinguished': who => `${who} hat zwei Spender/-innen als verschiedene Personen markiert`,
      'donor.noted': who => `${who} hat eine Notiz zu einer Spenderin oder einem Spender hinzugefügt`,
      'donor.note_removed': who => `${who} hat eine Notiz zu einer Spenderin oder einem Spender entfernt`,
      'donor.letter_written': who => `${who} hat einen Jahresbrief geschrieben`,
      'donor.letters_started': who => `${who} hat die Jahresbriefe eines Jahres gestartet`,
      'donor.letter_text_changed': who => `${who} hat den Text der Jahresbriefe geändert`
    }
  }
}
