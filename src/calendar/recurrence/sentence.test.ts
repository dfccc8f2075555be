import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStoredRule } from './recurrence.ts'
import { describeRecurrence } from './sentence.ts'

const start = Date.UTC(2026, 10, 24, 19)
const toDates = (...days: string[]) => days.map(day => Date.parse(`${day}T19:00:00Z`))

const sentences: [rule: string, english: string, german: string][] = [
  ['FREQ=DAILY', 'every day', 'jeden Tag'],
  ['FREQ=DAILY;INTERVAL=2', 'every second day', 'jeden zweiten Tag'],
  ['FREQ=DAILY;INTERVAL=10', 'every 10 days', 'alle 10 Tage'],
  ['FREQ=DAILY;COUNT=1', 'on 24 November 2026', 'am 24. November 2026'],
  ['FREQ=DAILY;COUNT=5', 'every day, 5 times', 'jeden Tag, 5-mal'],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'every day from Monday to Friday', 'jeden Tag von Montag bis Freitag'],
  ['FREQ=DAILY;BYMONTH=5,6', 'every day in May and June', 'jeden Tag im Mai und Juni'],
  ['FREQ=WEEKLY;BYDAY=TU', 'every Tuesday', 'jeden Dienstag'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'every second Tuesday', 'jeden zweiten Dienstag'],
  ['FREQ=WEEKLY;INTERVAL=3;BYDAY=TU', 'every 3 weeks on Tuesday', 'alle 3 Wochen am Dienstag'],
  ['FREQ=WEEKLY;BYDAY=TH,TU', 'every Tuesday and Thursday', 'jeden Dienstag und Donnerstag'],
  ['FREQ=WEEKLY;BYDAY=SU,MO,WE', 'every Monday, Wednesday and Sunday', 'jeden Montag, Mittwoch und Sonntag'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
    'every second week on Tuesday and Thursday',
    'jede zweite Woche am Dienstag und Donnerstag'
  ],
  [
    'FREQ=WEEKLY;INTERVAL=4;BYDAY=TU,TH',
    'every 4 weeks on Tuesday and Thursday',
    'alle 4 Wochen am Dienstag und Donnerstag'
  ],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'every day', 'jeden Tag'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR',
    'every second week from Monday to Friday',
    'jede zweite Woche von Montag bis Freitag'
  ],
  ['FREQ=MONTHLY;BYDAY=2TU', 'on the second Tuesday of every month', 'am zweiten Dienstag jedes Monats'],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', 'on the second Tuesday of every month', 'am zweiten Dienstag jedes Monats'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'on the last Friday of every month', 'am letzten Freitag jedes Monats'],
  ['FREQ=MONTHLY;BYDAY=-2FR', 'on the second to last Friday of every month', 'am vorletzten Freitag jedes Monats'],
  [
    'FREQ=MONTHLY;BYDAY=1MO,3MO',
    'on the first and third Monday of every month',
    'am ersten und dritten Montag jedes Monats'
  ],
  [
    'FREQ=MONTHLY;BYDAY=1MO,-1FR',
    'on the first Monday and last Friday of every month',
    'am ersten Montag und letzten Freitag jedes Monats'
  ],
  [
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU',
    'on the second Tuesday of every second month',
    'am zweiten Dienstag jedes zweiten Monats'
  ],
  ['FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU', 'on the second Tuesday every 3 months', 'alle 3 Monate am zweiten Dienstag'],
  ['FREQ=MONTHLY;BYMONTHDAY=24', 'on the 24th of every month', 'am 24. jedes Monats'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,2,3', 'on the 1st, 2nd and 3rd of every month', 'am 1., 2. und 3. jedes Monats'],
  ['FREQ=MONTHLY;BYMONTHDAY=11', 'on the 11th of every month', 'am 11. jedes Monats'],
  ['FREQ=MONTHLY;BYMONTHDAY=21,31', 'on the 21st and 31st of every month', 'am 21. und 31. jedes Monats'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'on the last day of every month', 'am letzten Tag jedes Monats'],
  ['FREQ=MONTHLY;BYMONTHDAY=-2', 'on the 2nd day from the end of every month', 'am vorletzten Tag jedes Monats'],
  ['FREQ=MONTHLY;BYDAY=TU', 'every Tuesday', 'jeden Dienstag'],
  ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU', 'every Tuesday of every second month', 'jeden Dienstag in jedem zweiten Monat'],
  ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', 'every year on 24 December', 'jedes Jahr am 24. Dezember'],
  [
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=12;BYMONTHDAY=24',
    'every second year on 24 December',
    'jedes zweite Jahr am 24. Dezember'
  ],
  ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 'every 4 years on 29 February', 'alle 4 Jahre am 29. Februar'],
  ['FREQ=YEARLY;BYMONTH=5;BYDAY=2SU', 'every year on the second Sunday of May', 'jedes Jahr am zweiten Sonntag im Mai'],
  [
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-1',
    'every year on the last day of December',
    'jedes Jahr am letzten Tag im Dezember'
  ],
  [
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3',
    'by the rule FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO, 3 times',
    'nach der Regel FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO, 3-mal'
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270731',
    'every second Tuesday until 31 July 2027',
    'jeden zweiten Dienstag bis 31. Juli 2027'
  ]
]

for (const [rule, en, de] of sentences) {
  test(`${rule} is described in English and German`, () => {
    const subject = { rule: parseStoredRule(rule), start, except: [], also: [] }
    assert.deepEqual([describeRecurrence(subject, 'en'), describeRecurrence(subject, 'de')], [en, de])
  })
}

test('excluded and additional dates are listed, and more than five are counted', () => {
  const rule = parseStoredRule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270731')
  const oneExcluded = { rule, start, except: toDates('2026-12-24'), also: [] }
  assert.equal(
    describeRecurrence(oneExcluded, 'en'),
    'every second Tuesday until 31 July 2027, not on 24 December 2026'
  )
  assert.equal(
    describeRecurrence(oneExcluded, 'de'),
    'jeden zweiten Dienstag bis 31. Juli 2027, nicht am 24. Dezember 2026'
  )
  const twoExcluded = { rule, start, except: toDates('2026-12-22', '2027-01-05'), also: toDates('2027-01-07') }
  assert.equal(
    describeRecurrence(twoExcluded, 'de'),
    'jeden zweiten Dienstag bis 31. Juli 2027, nicht am 22. Dezember 2026 und 5. Januar 2027, auch am 7. Januar 2027'
  )
  const manyExcluded = {
    rule: parseStoredRule('FREQ=DAILY'),
    start,
    also: [],
    except: toDates('2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07')
  }
  assert.match(
    describeRecurrence(manyExcluded, 'en'),
    /^every day, not on 1 December 2026, .*5 December 2026 and 2 more dates$/
  )
  assert.match(describeRecurrence(manyExcluded, 'de'), / 5\. Dezember 2026 und 2 weiteren Tagen$/)
})
