import type { Language } from '#platform/language.ts'
import { formatCount } from '../format/format.ts'

/** Series of events in the console: the repetition in the editor, and the page of a series. */
const en = {
  repeat: {
    title: 'Repeat',
    unit: 'Repeat',
    units: { never: 'Does not repeat', day: 'Daily', week: 'Weekly', month: 'Monthly', year: 'Yearly' },
    keep: (text: string) => `Keep: ${text}`,
    keepHint: 'This form cannot show the rule. Keep it, or choose another repetition to replace it.',
    dissolveHint: '“Does not repeat” makes single events of the series.',
    every: 'Interval',
    everyHint: '1: every day, week, month or year; 2: every second one.',
    weekdays: 'On these weekdays',
    weekdaysHint: 'Weekly only. Without a choice, the weekday of the first day.',
    weekdayNames: {
      monday: 'Monday',
      tuesday: 'Tuesday',
      wednesday: 'Wednesday',
      thursday: 'Thursday',
      friday: 'Friday',
      saturday: 'Saturday',
      sunday: 'Sunday'
    },
    by: 'Day within the month',
    byHint: 'Monthly and yearly only.',
    bys: {
      day: 'Same date, such as the 24th',
      weekday: 'Same weekday, such as the second Tuesday',
      last: 'Last weekday of its kind, such as the last Friday'
    },
    until: 'Until',
    untilHint: 'The last possible day.',
    count: 'Number of dates',
    countHint: 'Instead of “Until”. Leave both empty for a series without an end.',
    oneEnd: 'Give either “Until” or the number of dates.',
    singleDates: 'Leave out or add single dates',
    except: 'Not on',
    also: 'Also on',
    dateNumber: (label: string, number: number) => `${label} (${number})`,
    moreDates: 'Further dates',
    showDates: 'Show dates',
    total: (count: number) => formatCount('en', count, 'date', 'dates'),
    endless: 'No end. Events are created for the next two years, and later ones in time.',
    moreInAll: (count: number) => `and ${count} more`,
    chooseFirst: 'Choose how the event repeats to see its dates.',
    created: (count: number, text: string) => `${formatCount('en', count, 'event', 'events')} created: ${text}.`
  },
  apply: {
    title: 'Which events?',
    needed:
      'The repetition belongs to the series. Choose “This and the following events” or “All events of the series”.',
    save: {
      this: 'Only this event',
      thisHint: 'It then differs from its series. Later changes of the series leave these fields as they are here.',
      following: 'This and the following events',
      followingHint: 'They become a series of their own. Earlier events stay as they are.',
      all: 'All events of the series',
      allHint: 'Except fields in which an event was changed on its own. A new time or day moves all of them.'
    },
    trash: {
      this: 'Skip this date',
      thisHint: 'Only this event is moved to the trash.',
      following: 'This and the following events',
      followingHint: 'The series ends before this date.',
      all: 'All events of the series',
      allHint: 'Past events, too.'
    },
    saved: { this: 'Saved.', following: 'Saved for this and the following events.', all: 'Saved for all events.' },
    trashed: {
      following: 'This and the following events are in the trash.',
      all: 'All events of the series are in the trash.'
    }
  },
  note: {
    partOf: 'Part of a series:',
    previous: 'Previous date',
    next: 'Next date',
    allDates: 'All dates',
    differs: (fields: string) => `Differs from the series in: ${fields}`,
    start: 'Start',
    end: 'End',
    otherFields: {
      author: 'Author',
      show_map: 'Map',
      show_map_link: 'Link to the map',
      ticketed: 'Tickets',
      is_virtual: 'Online',
      post_parent: 'Parent'
    }
  },
  page: {
    title: (name: string) => `Series: ${name}`,
    untitled: 'Series',
    events: (count: number) => formatCount('en', count, 'event', 'events'),
    editAll: 'Change all events',
    caption: 'Dates of the series',
    date: 'Date',
    event: 'Title',
    state: 'Status',
    states: {
      normal: 'As in the series',
      changed: 'Changed',
      canceled: 'Cancelled',
      postponed: 'Postponed',
      skipped: 'Skipped'
    },
    upcoming: 'Upcoming dates',
    past: 'Past dates',
    empty: { upcoming: 'No dates to come.', past: 'No past dates.' },
    skip: 'Skip',
    restore: 'Restore',
    move: 'Move',
    moveDay: 'New day',
    moveTime: 'New time',
    moveNow: 'Move this date',
    endHere: 'End the series before this date',
    add: 'Add a date',
    addDay: 'Day',
    addHint: 'At the time of the series.',
    addNow: 'Add',
    remove: 'Move all events to the trash',
    removeTitle: 'Move the whole series to the trash?',
    removeText: (count: number) =>
      `${formatCount('en', count, 'event', 'events')} of this series, past ones too, will be in the trash. They can be restored one by one.`,
    keep: 'Keep the series',
    skipped: 'Date skipped. It can be restored below.',
    restored: 'Date restored.',
    moved: 'Date moved.',
    added: 'Date added.',
    ended: 'The series ends before this date. The later events are in the trash.',
    removed: 'All events of the series are in the trash.',
    gone: 'All events of this series are in the trash.',
    toTrash: 'Show the trash',
    dateNeeded: 'Please choose a day.'
  },
  list: {
    series: 'Series',
    allDates: 'All dates',
    once: 'Each series once'
  },
  duplicateOne: 'Duplicate this event',
  duplicateAll: 'Duplicate the series',
  duplicatedAll: 'This is the copy of the series. All of its events are drafts until you publish them.'
}

export type SeriesAdminStrings = typeof en

const de: SeriesAdminStrings = {
  repeat: {
    title: 'Wiederholen',
    unit: 'Wiederholen',
    units: { never: 'Nicht wiederholen', day: 'Täglich', week: 'Wöchentlich', month: 'Monatlich', year: 'Jährlich' },
    keep: text => `Beibehalten: ${text}`,
    keepHint:
      'Dieses Formular kann die Regel nicht darstellen. Behalten Sie sie bei, oder ersetzen Sie sie durch eine andere.',
    dissolveHint: '„Nicht wiederholen“ macht aus der Reihe einzelne Termine.',
    every: 'Abstand',
    everyHint: '1: jeder Tag, jede Woche, jeder Monat oder jedes Jahr; 2: jedes zweite Mal.',
    weekdays: 'An diesen Wochentagen',
    weekdaysHint: 'Nur bei „Wöchentlich“. Ohne Auswahl gilt der Wochentag des ersten Tages.',
    weekdayNames: {
      monday: 'Montag',
      tuesday: 'Dienstag',
      wednesday: 'Mittwoch',
      thursday: 'Donnerstag',
      friday: 'Freitag',
      saturday: 'Samstag',
      sunday: 'Sonntag'
    },
    by: 'Tag im Monat',
    byHint: 'Nur bei „Monatlich“ und „Jährlich“.',
    bys: {
      day: 'Gleiches Datum, etwa am 24.',
      weekday: 'Gleicher Wochentag, etwa am zweiten Dienstag',
      last: 'Letzter Wochentag dieser Art, etwa am letzten Freitag'
    },
    until: 'Bis',
    untilHint: 'Der letzte mögliche Tag.',
    count: 'Anzahl der Termine',
    countHint: 'Statt „Bis“. Bleibt beides leer, hat die Reihe kein Ende.',
    oneEnd: 'Geben Sie entweder „Bis“ oder die Anzahl der Termine an.',
    singleDates: 'Einzelne Tage auslassen oder ergänzen',
    except: 'Nicht am',
    also: 'Auch am',
    dateNumber: (label, number) => `${label} (${number})`,
    moreDates: 'Weitere Tage',
    showDates: 'Termine anzeigen',
    total: count => formatCount('de', count, 'Termin', 'Termine'),
    endless: 'Ohne Ende. Termine werden für die nächsten zwei Jahre angelegt, spätere rechtzeitig.',
    moreInAll: count => `und ${count} weitere`,
    chooseFirst: 'Wählen Sie zuerst, wie sich der Termin wiederholt.',
    created: (count, text) => `${formatCount('de', count, 'Termin', 'Termine')} angelegt: ${text}.`
  },
  apply: {
    title: 'Welche Termine?',
    needed:
      'Die Wiederholung gehört zur Reihe. Wählen Sie „Dieser und die folgenden Termine“ oder „Alle Termine der Reihe“.',
    save: {
      this: 'Nur dieser Termin',
      thisHint:
        'Er weicht dann von seiner Reihe ab. Spätere Änderungen der Reihe lassen diese Felder hier, wie sie sind.',
      following: 'Dieser und die folgenden Termine',
      followingHint: 'Sie werden eine eigene Reihe. Frühere Termine bleiben, wie sie sind.',
      all: 'Alle Termine der Reihe',
      allHint:
        'Außer Feldern, in denen ein Termin einzeln geändert wurde. Eine neue Zeit oder ein neuer Tag verschiebt alle.'
    },
    trash: {
      this: 'Diesen Tag auslassen',
      thisHint: 'Nur dieser Termin kommt in den Papierkorb.',
      following: 'Dieser und die folgenden Termine',
      followingHint: 'Die Reihe endet vor diesem Tag.',
      all: 'Alle Termine der Reihe',
      allHint: 'Auch vergangene Termine.'
    },
    saved: {
      this: 'Gespeichert.',
      following: 'Für diesen und die folgenden Termine gespeichert.',
      all: 'Für alle Termine gespeichert.'
    },
    trashed: {
      following: 'Dieser und die folgenden Termine sind im Papierkorb.',
      all: 'Alle Termine der Reihe sind im Papierkorb.'
    }
  },
  note: {
    partOf: 'Teil einer Reihe:',
    previous: 'Vorheriger Termin',
    next: 'Nächster Termin',
    allDates: 'Alle Termine',
    differs: fields => `Weicht von der Reihe ab in: ${fields}`,
    start: 'Beginn',
    end: 'Ende',
    otherFields: {
      author: 'Autor/-in',
      show_map: 'Karte',
      show_map_link: 'Link zur Karte',
      ticketed: 'Tickets',
      is_virtual: 'Online',
      post_parent: 'Übergeordneter Termin'
    }
  },
  page: {
    title: name => `Reihe: ${name}`,
    untitled: 'Reihe',
    events: count => formatCount('de', count, 'Termin', 'Termine'),
    editAll: 'Alle Termine ändern',
    caption: 'Termine der Reihe',
    date: 'Datum',
    event: 'Titel',
    state: 'Status',
    states: {
      normal: 'Wie in der Reihe',
      changed: 'Geändert',
      canceled: 'Abgesagt',
      postponed: 'Verschoben',
      skipped: 'Ausgelassen'
    },
    upcoming: 'Kommende Termine',
    past: 'Vergangene Termine',
    empty: { upcoming: 'Keine kommenden Termine.', past: 'Keine vergangenen Termine.' },
    skip: 'Auslassen',
    restore: 'Wiederherstellen',
    move: 'Verlegen',
    moveDay: 'Neuer Tag',
    moveTime: 'Neue Uhrzeit',
    moveNow: 'Termin verlegen',
    endHere: 'Reihe vor diesem Tag beenden',
    add: 'Termin ergänzen',
    addDay: 'Tag',
    addHint: 'Zur Uhrzeit der Reihe.',
    addNow: 'Ergänzen',
    remove: 'Alle Termine in den Papierkorb',
    removeTitle: 'Die ganze Reihe in den Papierkorb legen?',
    removeText: count =>
      `${formatCount('de', count, 'Termin', 'Termine')} dieser Reihe kommen in den Papierkorb, auch vergangene. Sie können einzeln wiederhergestellt werden.`,
    keep: 'Reihe behalten',
    skipped: 'Termin ausgelassen. Er kann unten wiederhergestellt werden.',
    restored: 'Termin wiederhergestellt.',
    moved: 'Termin verlegt.',
    added: 'Termin ergänzt.',
    ended: 'Die Reihe endet vor diesem Tag. Die späteren Termine sind im Papierkorb.',
    removed: 'Alle Termine der Reihe sind im Papierkorb.',
    gone: 'Alle Termine dieser Reihe sind im Papierkorb.',
    toTrash: 'Papierkorb anzeigen',
    dateNeeded: 'Bitte wählen Sie einen Tag.'
  },
  list: {
    series: 'Reihen',
    allDates: 'Alle Termine',
    once: 'Reihen zusammenfassen'
  },
  duplicateOne: 'Diesen Termin kopieren',
  duplicateAll: 'Ganze Reihe kopieren',
  duplicatedAll: 'Das ist die Kopie der Reihe. Alle ihre Termine bleiben Entwürfe, bis Sie sie veröffentlichen.'
}

export const seriesAdminStrings: Record<Language, SeriesAdminStrings> = { en, de }
