import type { Language } from '#platform/language.ts'

/** The report of an import, and its comparison with the source. */
const en = {
  isComparison: 'comparison',
  comparisonTitle: 'Comparison with the source',
  comparing: 'Comparing with the source',
  compareTitle: 'Compare with the source',
  compareText:
    'Fetches the site again and compares every item field by field. Nothing is changed. The result explains each difference.',
  compare: 'Compare with the source',
  passwordAgain: 'Enter it again: it was deleted after the import.',
  lastComparison: 'To the last comparison',
  toImport: 'To the import',
  allExplained: 'Everything is here as it is at the source, except for differences that are explained.',
  allSame: 'Everything is here as it is at the source.',
  notExplained: 'Some items differ from the source without an explanation. Look at them first.',
  comparisonCounts: {
    all: 'All',
    differs: 'Different',
    missing: 'Missing here',
    gone: 'Gone at the source',
    problem: 'Not compared',
    explained: 'Explained',
    same: 'Equal'
  } as Record<string, string>,
  comparisonOutcomes: {
    differs: 'different',
    missing: 'missing here',
    gone: 'gone at the source',
    problem: 'not compared',
    explained: 'explained',
    same: 'equal'
  } as Record<string, string>,
  filterKind: 'Kind',
  filterReason: 'Reason',
  anyKind: 'All kinds',
  anyReason: 'All reasons',
  filter: 'Filter',
  download: 'Download as CSV',
  atSource: 'At the source',
  arrow: 'here:',
  empty: '(empty)',
  codes: {
    'embed-became-link': 'Embedded content became a link',
    'markup-removed': 'Markup removed',
    'status-reason-in-text': 'Reason of the cancellation in the text',
    'image-not-fetched': 'Image not fetched',
    'image-shared': 'Same image under another URL',
    'inline-image-stayed': 'Image in the text still on the old site',
    'file-stayed': 'File still on the old site',
    'price-misread': 'Cost misread by the old site',
    currency: 'Currency written differently',
    'value-left-out': 'Invalid value left out',
    'timezone-renamed': 'Time zone renamed',
    'slug-changed': 'Other slug',
    'slug-taken': 'Slug taken here',
    'linked-item-missing': 'Linked item missing',
    recognised: 'Existing item used',
    rejected: 'Rejected by a rule',
    'password-protected': 'Password-protected',
    'needs-credentials': 'Not public at the source',
    'edited-here': 'Edited here',
    'removed-here': 'Deleted here',
    'changed-at-source': 'Changed at the source',
    'not-imported': 'Not imported',
    gone: 'Gone at the source',
    unreadable: 'Not readable'
  } as Record<string, string>
}

type ReportStrings = typeof en

const de: ReportStrings = {
  isComparison: 'Vergleich',
  comparisonTitle: 'Vergleich mit der Quelle',
  comparing: 'Vergleich mit der Quelle läuft',
  compareTitle: 'Mit der Quelle vergleichen',
  compareText:
    'Ruft die Website noch einmal ab und vergleicht jeden Eintrag Feld für Feld. Nichts wird geändert. Das Ergebnis erklärt jeden Unterschied.',
  compare: 'Mit der Quelle vergleichen',
  passwordAgain: 'Bitte noch einmal eingeben: Es wurde nach dem Import gelöscht.',
  lastComparison: 'Zum letzten Vergleich',
  toImport: 'Zum Import',
  allExplained: 'Alles ist hier wie an der Quelle, bis auf erklärte Unterschiede.',
  allSame: 'Alles ist hier wie an der Quelle.',
  notExplained: 'Einige Einträge weichen ohne Erklärung von der Quelle ab. Sehen Sie diese zuerst an.',
  comparisonCounts: {
    all: 'Alle',
    differs: 'Abweichend',
    missing: 'Fehlt hier',
    gone: 'Nicht mehr an der Quelle',
    problem: 'Nicht verglichen',
    explained: 'Erklärt',
    same: 'Gleich'
  },
  comparisonOutcomes: {
    differs: 'abweichend',
    missing: 'fehlt hier',
    gone: 'nicht mehr an der Quelle',
    problem: 'nicht verglichen',
    explained: 'erklärt',
    same: 'gleich'
  },
  filterKind: 'Art',
  filterReason: 'Grund',
  anyKind: 'Alle Arten',
  anyReason: 'Alle Gründe',
  filter: 'Filtern',
  download: 'Als CSV herunterladen',
  atSource: 'An der Quelle',
  arrow: 'hier:',
  empty: '(leer)',
  codes: {
    'embed-became-link': 'Eingebetteter Inhalt wurde Link',
    'markup-removed': 'Auszeichnungen entfernt',
    'status-reason-in-text': 'Grund der Absage im Text',
    'image-not-fetched': 'Bild nicht abgerufen',
    'image-shared': 'Dasselbe Bild unter anderer URL',
    'inline-image-stayed': 'Bild im Text noch auf der alten Website',
    'file-stayed': 'Datei noch auf der alten Website',
    'price-misread': 'Eintritt von der alten Website falsch gelesen',
    currency: 'Währung anders geschrieben',
    'value-left-out': 'Ungültiger Wert weggelassen',
    'timezone-renamed': 'Zeitzone umbenannt',
    'slug-changed': 'Anderes URL-Kürzel',
    'slug-taken': 'URL-Kürzel hier vergeben',
    'linked-item-missing': 'Verknüpfter Eintrag fehlt',
    recognised: 'Vorhandener Eintrag verwendet',
    rejected: 'Von einer Regel abgelehnt',
    'password-protected': 'Durch Passwort geschützt',
    'needs-credentials': 'An der Quelle nicht öffentlich',
    'edited-here': 'Hier bearbeitet',
    'removed-here': 'Hier gelöscht',
    'changed-at-source': 'An der Quelle geändert',
    'not-imported': 'Nicht importiert',
    gone: 'Nicht mehr an der Quelle',
    unreadable: 'Nicht lesbar'
  }
}

export const importReportStrings: Record<Language, ReportStrings> = { en, de }
