import type { Language } from '#platform/language.ts'

/** The words of a sentence about a recurrence; `{…}` are replaced. */
export interface SentenceWords {
  locale: string
  /** Counted from Sunday. */
  weekdays: string[]
  months: string[]
  and: string
  /** The n-th weekday of a month, by `nth`; negative numbers count from the end. */
  nth: Record<number, string>
  /** A day of a month, such as 24th. */
  day(number: number): string
  lastDay: string
  /** A day of a month that is counted from its end, from 2 on. */
  dayFromEnd(number: number): string
  /** Each unit once, every second time, and every n-th time. */
  days: [string, string, string]
  weekday: [string, string, string]
  severalWeekdays: [string, string, string]
  workdays: [string, string, string]
  monthly: [string, string, string]
  weekdaysOfMonths: [string, string, string]
  yearly: [string, string, string]
  dayOfYear: string
  nthOfYear: string
  inMonths: string
  once: string
  byRule: string
  until: string
  times: string
  notOn: string
  alsoOn: string
  moreDates: string
}

const english: SentenceWords = {
  locale: 'en-GB',
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
    ...['August', 'September', 'October', 'November', 'December']
  ],
  and: 'and',
  nth: {
    1: 'first',
    2: 'second',
    3: 'third',
    4: 'fourth',
    5: 'fifth',
    [-1]: 'last',
    [-2]: 'second to last',
    [-3]: 'third to last',
    [-4]: 'fourth to last',
    [-5]: 'fifth to last'
  },
  day: number => {
    const suffix = number >= 11 && number <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
    return `${number}${suffix}`
  },
  lastDay: 'last day',
  dayFromEnd: number => `${english.day(number)} day from the end`,
  days: ['every day', 'every second day', 'every {n} days'],
  weekday: ['every {days}', 'every second {days}', 'every {n} weeks on {days}'],
  severalWeekdays: ['every {days}', 'every second week on {days}', 'every {n} weeks on {days}'],
  workdays: [
    'every day from Monday to Friday',
    'every second week from Monday to Friday',
    'every {n} weeks from Monday to Friday'
  ],
  monthly: ['on the {days} of every month', 'on the {days} of every second month', 'on the {days} every {n} months'],
  weekdaysOfMonths: ['every {days}', 'every {days} of every second month', 'every {days}, every {n} months'],
  yearly: ['every year {days}', 'every second year {days}', 'every {n} years {days}'],
  dayOfYear: 'on {day} {month}',
  nthOfYear: 'on the {days} of {months}',
  inMonths: 'in {months}',
  once: 'on {date}',
  byRule: 'by the rule {rule}',
  until: 'until {date}',
  times: '{n} times',
  notOn: 'not on {dates}',
  alsoOn: 'also on {dates}',
  moreDates: '{n} more dates'
}

const german: SentenceWords = {
  locale: 'de-DE',
  weekdays: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
  months: [
    ...['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli'],
    ...['August', 'September', 'Oktober', 'November', 'Dezember']
  ],
  and: 'und',
  nth: {
    1: 'ersten',
    2: 'zweiten',
    3: 'dritten',
    4: 'vierten',
    5: 'fünften',
    [-1]: 'letzten',
    [-2]: 'vorletzten',
    [-3]: 'drittletzten',
    [-4]: 'viertletzten',
    [-5]: 'fünftletzten'
  },
  day: number => `${number}.`,
  lastDay: 'letzten Tag',
  dayFromEnd: number => `${german.nth[-number] ?? `${number}.-letzten`} Tag`,
  days: ['jeden Tag', 'jeden zweiten Tag', 'alle {n} Tage'],
  weekday: ['jeden {days}', 'jeden zweiten {days}', 'alle {n} Wochen am {days}'],
  severalWeekdays: ['jeden {days}', 'jede zweite Woche am {days}', 'alle {n} Wochen am {days}'],
  workdays: [
    'jeden Tag von Montag bis Freitag',
    'jede zweite Woche von Montag bis Freitag',
    'alle {n} Wochen von Montag bis Freitag'
  ],
  monthly: ['am {days} jedes Monats', 'am {days} jedes zweiten Monats', 'alle {n} Monate am {days}'],
  weekdaysOfMonths: ['jeden {days}', 'jeden {days} in jedem zweiten Monat', 'alle {n} Monate jeden {days}'],
  yearly: ['jedes Jahr {days}', 'jedes zweite Jahr {days}', 'alle {n} Jahre {days}'],
  dayOfYear: 'am {day} {month}',
  nthOfYear: 'am {days} im {months}',
  inMonths: 'im {months}',
  once: 'am {date}',
  byRule: 'nach der Regel {rule}',
  until: 'bis {date}',
  times: '{n}-mal',
  notOn: 'nicht am {dates}',
  alsoOn: 'auch am {dates}',
  moreDates: '{n} weiteren Tagen'
}

export const sentenceWords: Record<Language, SentenceWords> = { en: english, de: german }
