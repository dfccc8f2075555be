import type { Language } from '#platform/language.ts'

/** Filters, bulk actions and versions of events. */
const en = {
  filters: {
    venue: 'Venue',
    organizer: 'Organizer',
    tag: 'Tag',
    from: 'From',
    to: 'Until',
    status: 'Status',
    author: 'Author',
    owner: 'Site owner',
    more: 'More filters',
    active: 'Active filters',
    remove: (filter: string) => `Remove the filter ${filter}`
  },
  bulk: {
    column: 'Select',
    all: 'Select all events on this page',
    one: (title: string) => `Select ${title}`,
    legend: 'With the selected events',
    action: 'Action',
    choose: 'Choose an action',
    actions: {
      trash: 'Move to trash',
      restore: 'Restore',
      publish: 'Publish',
      draft: 'Make drafts',
      shift: 'Move in time',
      set_venue: 'Set the venue',
      add_category: 'Add a category',
      remove_category: 'Remove a category',
      add_tag: 'Add a tag',
      remove_tag: 'Remove a tag'
    },
    venue: 'Venue',
    noVenue: 'No venue',
    category: 'Category',
    tag: 'Tag',
    days: 'Days',
    minutes: 'Minutes',
    shiftHint: 'With a minus sign: earlier.',
    apply: 'Apply',
    nothingSelected: 'Select at least one event and an action.',
    timeNeeded: 'Enter the number of days or minutes to move the events by.',
    termNeeded: 'Choose a category or a tag.',
    /** After the number of events. */
    done: {
      trash: ['event was moved to the trash.', 'events were moved to the trash.'],
      restore: ['event was restored.', 'events were restored.'],
      publish: ['event was published.', 'events were published.'],
      draft: ['event is a draft now.', 'events are drafts now.'],
      shift: ['event was moved in time.', 'events were moved in time.']
    } as Record<string, [one: string, many: string]>,
    changed: ['event was changed.', 'events were changed.'] as [one: string, many: string],
    undone: ['event is as it was before.', 'events are as they were before.'] as [one: string, many: string],
    unchanged: ['event stayed as it is.', 'events stayed as they are.'] as [one: string, many: string],
    more: (count: string) => `And ${count} more.`
  },
  versions: {
    title: 'Versions',
    of: (title: string) => `Versions of “${title}”`,
    one: (version: string, title: string) => `Version ${version} of “${title}”`,
    lead: 'Each time an event is saved, the version before is kept: the last 50.',
    caption: 'Versions, newest first',
    version: 'Version',
    saved: 'Saved',
    by: 'By',
    changed: 'Changed',
    current: 'Current version',
    unknown: 'unknown',
    unchanged: 'nothing',
    oldest: 'oldest version that is kept',
    first: 'created',
    showOne: (version: string) => `Show version ${version}`,
    savedBy: (date: string, name: string) => `Saved ${date} by ${name}.`,
    savedOn: (date: string) => `Saved ${date}.`,
    differences: 'Differences from the current version',
    same: 'This version has the same content as the current one.',
    legendRemoved: 'only in this version',
    legendAdded: 'only in the current version',
    nothing: 'nothing',
    deleted: (id: number) => `no. ${id} (deleted)`,
    restore: 'Take this version back',
    restoreHint: 'It becomes a new version, so that you can return to the current one. The password stays as it is.',
    restored: (version: string) => `Version ${version} is back.`,
    leftOut: (fields: string) => `Not taken back, because it no longer exists or may not be changed: ${fields}.`,
    meanwhile: 'The event was changed in the meantime. Please look at the differences again.',
    all: 'All versions',
    edit: 'Back to the event',
    cut: '…',
    fields: {
      date_utc: 'Published on',
      author: 'Author',
      post_parent: 'Parent event',
      show_map: 'Map',
      show_map_link: 'Link to a map',
      ticketed: 'Tickets',
      has_password: 'Password'
    }
  }
}

export type DailyWorkStrings = typeof en

const de: DailyWorkStrings = {
  filters: {
    venue: 'Veranstaltungsort',
    organizer: 'Veranstalter',
    tag: 'Schlagwort',
    from: 'Von',
    to: 'Bis',
    status: 'Status',
    author: 'Angelegt von',
    owner: 'Inhaber der Website',
    more: 'Weitere Filter',
    active: 'Aktive Filter',
    remove: filter => `Filter ${filter} entfernen`
  },
  bulk: {
    column: 'Auswählen',
    all: 'Alle Termine dieser Seite auswählen',
    one: title => `${title} auswählen`,
    legend: 'Mit den ausgewählten Terminen',
    action: 'Aktion',
    choose: 'Aktion wählen',
    actions: {
      trash: 'In den Papierkorb',
      restore: 'Wiederherstellen',
      publish: 'Veröffentlichen',
      draft: 'Zu Entwürfen machen',
      shift: 'Zeitlich verschieben',
      set_venue: 'Veranstaltungsort setzen',
      add_category: 'Kategorie hinzufügen',
      remove_category: 'Kategorie entfernen',
      add_tag: 'Schlagwort hinzufügen',
      remove_tag: 'Schlagwort entfernen'
    },
    venue: 'Veranstaltungsort',
    noVenue: 'Kein Veranstaltungsort',
    category: 'Kategorie',
    tag: 'Schlagwort',
    days: 'Tage',
    minutes: 'Minuten',
    shiftHint: 'Mit Minuszeichen: früher.',
    apply: 'Anwenden',
    nothingSelected: 'Wählen Sie mindestens einen Termin und eine Aktion aus.',
    timeNeeded: 'Geben Sie an, um wie viele Tage oder Minuten die Termine verschoben werden sollen.',
    termNeeded: 'Wählen Sie eine Kategorie oder ein Schlagwort aus.',
    done: {
      trash: ['Termin wurde in den Papierkorb gelegt.', 'Termine wurden in den Papierkorb gelegt.'],
      restore: ['Termin wurde wiederhergestellt.', 'Termine wurden wiederhergestellt.'],
      publish: ['Termin wurde veröffentlicht.', 'Termine wurden veröffentlicht.'],
      draft: ['Termin ist jetzt ein Entwurf.', 'Termine sind jetzt Entwürfe.'],
      shift: ['Termin wurde verschoben.', 'Termine wurden verschoben.']
    },
    changed: ['Termin wurde geändert.', 'Termine wurden geändert.'],
    undone: ['Termin ist wieder wie vorher.', 'Termine sind wieder wie vorher.'],
    unchanged: ['Termin blieb unverändert.', 'Termine blieben unverändert.'],
    more: count => `Und ${count} weitere.`
  },
  versions: {
    title: 'Fassungen',
    of: title => `Fassungen von „${title}“`,
    one: (version, title) => `Fassung ${version} von „${title}“`,
    lead: 'Bei jedem Speichern eines Termins bleibt die Fassung davor erhalten: die letzten 50.',
    caption: 'Fassungen, die neuesten zuerst',
    version: 'Fassung',
    saved: 'Gespeichert',
    by: 'Von',
    changed: 'Geändert',
    current: 'Aktuelle Fassung',
    unknown: 'unbekannt',
    unchanged: 'nichts',
    oldest: 'älteste aufbewahrte Fassung',
    first: 'angelegt',
    showOne: version => `Fassung ${version} ansehen`,
    savedBy: (date, name) => `Gespeichert ${date} von ${name}.`,
    savedOn: date => `Gespeichert ${date}.`,
    differences: 'Unterschiede zur aktuellen Fassung',
    same: 'Diese Fassung hat denselben Inhalt wie die aktuelle.',
    legendRemoved: 'nur in dieser Fassung',
    legendAdded: 'nur in der aktuellen Fassung',
    nothing: 'nichts',
    deleted: id => `Nr. ${id} (gelöscht)`,
    restore: 'Diese Fassung wiederherstellen',
    restoreHint:
      'Sie wird zu einer neuen Fassung; zur jetzigen können Sie zurückkehren. Das Passwort bleibt, wie es ist.',
    restored: version => `Fassung ${version} ist wiederhergestellt.`,
    leftOut: fields =>
      `Nicht wiederhergestellt, weil es das nicht mehr gibt oder nicht geändert werden darf: ${fields}.`,
    meanwhile: 'Der Termin wurde inzwischen geändert. Bitte sehen Sie sich die Unterschiede noch einmal an.',
    all: 'Alle Fassungen',
    edit: 'Zurück zum Termin',
    cut: '…',
    fields: {
      date_utc: 'Veröffentlicht am',
      author: 'Angelegt von',
      post_parent: 'Übergeordneter Termin',
      show_map: 'Karte',
      show_map_link: 'Link zu einer Karte',
      ticketed: 'Eintrittskarten',
      has_password: 'Passwort'
    }
  }
}

export const dailyWorkStrings: Record<Language, DailyWorkStrings> = { en, de }
