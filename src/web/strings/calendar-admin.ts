import type { Language } from '#platform/language.ts'

/** Venues, organizers, categories, tags and images, and texts that all calendar editors share. */
const en = {
  venues: {
    create: 'New venue',
    empty: 'There are no venues yet.',
    created: 'Venue created.'
  },
  organizers: {
    create: 'New organizer',
    empty: 'There are no organizers yet.',
    created: 'Organizer created.'
  },
  categories: {
    create: 'New category',
    empty: 'There are no categories yet.',
    created: 'Category created.',
    question: (name: string) => `Delete the category “${name}”?`
  },
  tags: {
    create: 'New tag',
    empty: 'There are no tags yet.',
    created: 'Tag created.',
    question: (name: string) => `Delete the tag “${name}”?`
  },
  name: 'Name',
  description: 'Description',
  slug: 'URL slug',
  slugHint: 'Generated from the name if empty.',
  place: 'Address',
  address: 'Street and number',
  zip: 'Postal code',
  city: 'City',
  region: 'State or province',
  country: 'Country',
  contact: 'Contact',
  phone: 'Telephone',
  email: 'Email',
  website: 'Website',
  websiteHint: 'An external page, beginning with https://',
  map: 'On the map',
  latitude: 'Latitude',
  longitude: 'Longitude',
  coordinatesHint: 'In degrees, such as 52.5186. Both or neither.',
  parent: 'Belongs to',
  noParent: 'No parent',
  image: 'Image',
  state: 'Status',
  events: 'Events',
  languages: 'Languages',
  search: 'Search',
  show: 'Show',
  changed: 'Changed',
  shows: {
    all: 'All',
    'without-de': 'Without German text',
    'without-en': 'Without English text',
    trash: 'Trash'
  },
  found: 'No entries. Please change the filter.',
  emptyTrash: 'The trash is empty.',
  inTrash: 'This item is in the trash. Restore it to edit it.',
  trash: 'Move to trash',
  restore: 'Restore',
  remove: 'Delete permanently',
  trashed: (name: string) => `“${name}” was moved to the trash.`,
  restored: (name: string) => `“${name}” was restored.`,
  restoredAsDraft: (name: string) => `“${name}” was restored as a draft.`,
  removed: (name: string) => `“${name}” was deleted.`,
  view: 'View on site',
  delete: 'Delete',
  keep: 'Keep it',
  questionText: (count: number) =>
    count === 0
      ? 'Not used by any published event. It will be deleted permanently.'
      : `It will be removed from ${count === 1 ? 'one published event' : `${count} published events`} and deleted permanently. The events are kept.`,
  questionChildren: 'Its subcategories move up one level.',
  written: { yes: (language: string) => `${language}: present`, no: (language: string) => `${language}: missing` },
  copyFrom: { en: 'Copy from English', de: 'Copy from German' },
  translate: { en: 'Write the English text', de: 'Write the German text' },
  notWritten: {
    en: 'There is no English text yet. The German text is shown instead.',
    de: 'There is no German text yet. The English text is shown instead.'
  },
  removeText: { en: 'Remove the English text', de: 'Remove the German text' },
  removeTextQuestion: {
    en: (name: string) => `Remove the English text “${name}”?`,
    de: (name: string) => `Remove the German text “${name}”?`
  },
  removeTextHint: 'The other language is then shown. This cannot be undone.',
  textRemoved: { en: 'English text removed.', de: 'German text removed.' },
  rich: {
    toolbar: 'Format',
    bold: 'Bold',
    italic: 'Italic',
    heading2: 'Heading H2',
    heading3: 'Small heading H3',
    bulletList: 'List',
    orderedList: 'Numbered list',
    blockquote: 'Quote',
    link: 'Link',
    unlink: 'Remove link',
    address: 'URL of the link',
    set: 'Set',
    cancel: 'Cancel',
    undo: 'Undo',
    redo: 'Redo',
    unknown: 'This text has parts that the editor does not know, so it is shown as HTML.'
  },
  picture: {
    none: 'No image',
    choose: 'Choose an image',
    upload: 'Upload a new one',
    file: 'Image file',
    uploadHint: 'JPEG, PNG, WebP, GIF or AVIF, at most 10 MB. It replaces the selected one.',
    alt: 'Description of the new image (alt text)',
    altHint: 'For people who cannot see it.',
    withoutAlt: 'Image without description',
    older: 'Older images are on the page “Images”.'
  },
  images: {
    upload: 'Upload',
    files: 'Image files',
    filesHint: 'JPEG, PNG, WebP, GIF or AVIF, at most 10 MB each and 40 MB at once.',
    alt: 'Description (alt text)',
    altHint:
      'For people who cannot see them. It is used for all images of this upload. Upload images one by one for separate descriptions.',
    empty: 'There are no images yet.',
    grid: 'Images, newest first',
    noAlt: 'no description',
    size: (width: number, height: number, bytes: string) => `${width} × ${height}, ${bytes}`,
    uploaded: (count: number) => (count === 1 ? 'Image uploaded.' : `${count} images uploaded.`),
    someRefused: (done: number, refused: string) => `${done} uploaded. Rejected: ${refused}`,
    chooseFirst: 'Choose at least one image.',
    question: 'Delete this image?',
    questionText: 'It is removed from events, venues and organizers. This cannot be undone.',
    removed: 'Image deleted.',
    open: 'Open'
  }
}

export type CalendarAdminStrings = typeof en

const de: CalendarAdminStrings = {
  venues: {
    create: 'Neuer Veranstaltungsort',
    empty: 'Es gibt noch keine Veranstaltungsorte.',
    created: 'Veranstaltungsort angelegt.'
  },
  organizers: {
    create: 'Neuer Veranstalter',
    empty: 'Es gibt noch keine Veranstalter.',
    created: 'Veranstalter angelegt.'
  },
  categories: {
    create: 'Neue Kategorie',
    empty: 'Es gibt noch keine Kategorien.',
    created: 'Kategorie angelegt.',
    question: name => `Kategorie „${name}“ löschen?`
  },
  tags: {
    create: 'Neues Schlagwort',
    empty: 'Es gibt noch keine Schlagwörter.',
    created: 'Schlagwort angelegt.',
    question: name => `Schlagwort „${name}“ löschen?`
  },
  name: 'Name',
  description: 'Beschreibung',
  slug: 'URL-Kürzel',
  slugHint: 'Wird aus dem Namen gebildet, wenn das Feld leer bleibt.',
  place: 'Anschrift',
  address: 'Straße und Hausnummer',
  zip: 'Postleitzahl',
  city: 'Ort',
  region: 'Bundesland oder Region',
  country: 'Land',
  contact: 'Kontakt',
  phone: 'Telefon',
  email: 'E-Mail',
  website: 'Website',
  websiteHint: 'Eine externe Seite, beginnend mit https://',
  map: 'Auf der Karte',
  latitude: 'Breitengrad',
  longitude: 'Längengrad',
  coordinatesHint: 'In Grad, zum Beispiel 52.5186. Beide oder keine.',
  parent: 'Gehört zu',
  noParent: 'Keine übergeordnete Kategorie',
  image: 'Bild',
  state: 'Status',
  events: 'Termine',
  languages: 'Sprachen',
  search: 'Suchen',
  show: 'Anzeigen',
  changed: 'Geändert',
  shows: {
    all: 'Alle',
    'without-de': 'Ohne deutschen Text',
    'without-en': 'Ohne englischen Text',
    trash: 'Papierkorb'
  },
  found: 'Keine Einträge. Bitte ändern Sie den Filter.',
  emptyTrash: 'Der Papierkorb ist leer.',
  inTrash: 'Dieser Eintrag ist im Papierkorb. Stellen Sie ihn wieder her, um ihn zu bearbeiten.',
  trash: 'In den Papierkorb',
  restore: 'Wiederherstellen',
  remove: 'Endgültig löschen',
  trashed: name => `„${name}“ wurde in den Papierkorb gelegt.`,
  restored: name => `„${name}“ wurde wiederhergestellt.`,
  restoredAsDraft: name => `„${name}“ wurde als Entwurf wiederhergestellt.`,
  removed: name => `„${name}“ wurde gelöscht.`,
  view: 'Auf der Website ansehen',
  delete: 'Löschen',
  keep: 'Behalten',
  questionText: count =>
    count === 0
      ? 'Wird von keinem veröffentlichten Termin verwendet. Das Löschen ist endgültig.'
      : `${count === 1 ? 'Ein veröffentlichter Termin verliert' : `${count} veröffentlichte Termine verlieren`} diese Zuordnung, die Termine selbst bleiben. Das Löschen ist endgültig.`,
  questionChildren: 'Die Unterkategorien rücken eine Ebene auf.',
  written: { yes: language => `${language}: vorhanden`, no: language => `${language}: fehlt` },
  copyFrom: { en: 'Aus dem Englischen übernehmen', de: 'Aus dem Deutschen übernehmen' },
  translate: { en: 'Englischen Text schreiben', de: 'Deutschen Text schreiben' },
  notWritten: {
    en: 'Es gibt noch keinen englischen Text. Angezeigt wird der deutsche.',
    de: 'Es gibt noch keinen deutschen Text. Angezeigt wird der englische.'
  },
  removeText: { en: 'Englischen Text entfernen', de: 'Deutschen Text entfernen' },
  removeTextQuestion: {
    en: name => `Den englischen Text „${name}“ entfernen?`,
    de: name => `Den deutschen Text „${name}“ entfernen?`
  },
  removeTextHint: 'Angezeigt wird danach die andere Sprache. Das kann nicht rückgängig gemacht werden.',
  textRemoved: { en: 'Englischer Text entfernt.', de: 'Deutscher Text entfernt.' },
  rich: {
    toolbar: 'Formatierung',
    bold: 'Fett',
    italic: 'Kursiv',
    heading2: 'Überschrift H2',
    heading3: 'Kleine Überschrift H3',
    bulletList: 'Liste',
    orderedList: 'Nummerierte Liste',
    blockquote: 'Zitat',
    link: 'Link',
    unlink: 'Link entfernen',
    address: 'URL des Links',
    set: 'Setzen',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    unknown: 'Dieser Text hat Teile, die der Editor nicht kennt. Er wird deshalb als HTML gezeigt.'
  },
  picture: {
    none: 'Kein Bild',
    choose: 'Bild auswählen',
    upload: 'Neues hochladen',
    file: 'Bilddatei',
    uploadHint: 'JPEG, PNG, WebP, GIF oder AVIF, höchstens 10 MB. Es ersetzt das ausgewählte.',
    alt: 'Beschreibung des neuen Bildes (Alternativtext)',
    altHint: 'Für Menschen, die es nicht sehen können.',
    withoutAlt: 'Bild ohne Beschreibung',
    older: 'Ältere Bilder finden Sie auf der Seite „Bilder“.'
  },
  images: {
    upload: 'Hochladen',
    files: 'Bilddateien',
    filesHint: 'JPEG, PNG, WebP, GIF oder AVIF, je höchstens 10 MB und zusammen 40 MB.',
    alt: 'Beschreibung (Alternativtext)',
    altHint:
      'Für Menschen, die sie nicht sehen können. Der Text gilt für alle Bilder, die Sie zusammen hochladen. Laden Sie Bilder einzeln hoch, um sie einzeln zu beschreiben.',
    empty: 'Es gibt noch keine Bilder.',
    grid: 'Bilder, die neuesten zuerst',
    noAlt: 'ohne Beschreibung',
    size: (width, height, bytes) => `${width} × ${height}, ${bytes}`,
    uploaded: count => (count === 1 ? 'Bild hochgeladen.' : `${count} Bilder hochgeladen.`),
    someRefused: (done, refused) => `${done} hochgeladen. Nicht angenommen: ${refused}`,
    chooseFirst: 'Wählen Sie mindestens ein Bild aus.',
    question: 'Dieses Bild löschen?',
    questionText:
      'Es wird aus Terminen, Veranstaltungsorten und Veranstaltern entfernt. Das kann nicht rückgängig gemacht werden.',
    removed: 'Bild gelöscht.',
    open: 'Öffnen'
  }
}

export const calendarAdminStrings: Record<Language, CalendarAdminStrings> = { en, de }
