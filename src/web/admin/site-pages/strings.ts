import type { Language } from '#platform/language.ts'

const en = {
  create: 'New page',
  created: 'Page created.',
  saved: 'Page saved.',
  removed: (title: string) => `Deleted: ${title}`,
  title: 'Title',
  content: 'Text',
  slug: 'Last part of the address',
  slugHint: 'Derived from the title if empty. Links to the old address stop working when you change it.',
  status: 'Status',
  statuses: { draft: 'Draft', published: 'Published' },
  place: 'Menu',
  placeHint: 'Where visitors find the page.',
  places: { header: 'Header', footer: 'Footer', none: 'Not in a menu' },
  order: 'Position in the menu',
  orderHint: 'Smaller numbers come first.',
  languages: 'Languages',
  addressFixed: 'The address of this page cannot be changed.',
  noText: { about: 'No text yet', imprint: 'No text yet', privacy: 'Built-in text' },
  empty: 'No pages yet.',
  view: 'View on the site',
  preview: 'Preview',
  previewNew: 'opens in a new tab',
  previewBar: 'Preview.',
  previewUnsaved: 'This version is not saved.',
  untitled: 'Untitled',
  delete: 'Delete page',
  question: (title: string) => `Delete “${title}”?`,
  questionText: 'The page is deleted permanently in all languages. Its address is no longer found.',
  menuCard: 'Publication'
}

export type SitePageStrings = typeof en

const de: SitePageStrings = {
  create: 'Neue Seite',
  created: 'Die Seite ist angelegt.',
  saved: 'Die Seite ist gespeichert.',
  removed: title => `Gelöscht: ${title}`,
  title: 'Titel',
  content: 'Text',
  slug: 'Letzter Teil der Adresse',
  slugHint:
    'Wird aus dem Titel gebildet, wenn das Feld leer bleibt. Links zur alten Adresse gehen nach einer Änderung ins Leere.',
  status: 'Status',
  statuses: { draft: 'Entwurf', published: 'Veröffentlicht' },
  place: 'Menü',
  placeHint: 'Wo die Seite zu finden ist.',
  places: { header: 'Kopfzeile', footer: 'Fußzeile', none: 'In keinem Menü' },
  order: 'Position im Menü',
  orderHint: 'Kleinere Zahlen kommen zuerst.',
  languages: 'Sprachen',
  addressFixed: 'Die Adresse dieser Seite ist nicht änderbar.',
  noText: { about: 'Noch kein Text', imprint: 'Noch kein Text', privacy: 'Mitgelieferter Text' },
  empty: 'Noch keine Seiten.',
  view: 'Auf der Website ansehen',
  preview: 'Vorschau',
  previewNew: 'öffnet einen neuen Tab',
  previewBar: 'Vorschau.',
  previewUnsaved: 'Dieser Stand ist nicht gespeichert.',
  untitled: 'Ohne Titel',
  delete: 'Seite löschen',
  question: title => `„${title}“ löschen?`,
  questionText: 'Die Seite wird in allen Sprachen endgültig gelöscht. Ihre Adresse gibt es dann nicht mehr.',
  menuCard: 'Veröffentlichung'
}

export const sitePageStrings: Record<Language, SitePageStrings> = { en, de }
