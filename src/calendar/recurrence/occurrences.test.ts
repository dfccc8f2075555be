import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { listOccurrences } from './occurrences.ts'
import { parseRule } from './rule.ts'
import { formatWallTime, parseBasicTime } from './wall-time.ts'

/** The first occurrences of a rule. */
function listStarts(
  rule: string,
  start: string,
  { from = '19700101', to = '20400101', most = 40, left = 200_000, digits = 16 } = {}
) {
  const parsed = parseRule(rule, parseBasicTime)
  assert.ok(parsed !== undefined, rule)
  const effort = { left }
  const found: string[] = []
  const range = { from: parseBasicTime(from) ?? 0, to: parseBasicTime(to) ?? 0 }
  for (const wall of listOccurrences(parsed, parseBasicTime(start) ?? 0, range, effort)) {
    found.push(formatWallTime(wall).slice(0, digits))
    if (found.length === most) break
  }
  return found
}

/** The days of the examples in RFC 5545, 3.8.5.3, all at nine o'clock. */
const days: [rule: string, start: string, days: string][] = [
  ['FREQ=DAILY;COUNT=3', '19970902', '1997-09-02 1997-09-03 1997-09-04'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '19970902', '1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12'],
  ['FREQ=DAILY;UNTIL=19970904T090000Z', '19970902', '1997-09-02 1997-09-03 1997-09-04'],
  [
    'FREQ=YEARLY;UNTIL=19980103T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    '19980101',
    '1998-01-01 1998-01-02 1998-01-03'
  ],
  [
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '19970902',
    '1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 1997-10-02'
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '19970902',
    '1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16'
  ],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '19970805', '1997-08-05 1997-08-10 1997-08-19 1997-08-24'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '19970805', '1997-08-05 1997-08-17 1997-08-19 1997-08-31'],
  ['FREQ=MONTHLY;COUNT=4;BYDAY=1FR', '19970905', '1997-09-05 1997-10-03 1997-11-07 1997-12-05'],
  [
    'FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU',
    '19970907',
    '1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25'
  ],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=-2MO', '19970922', '1997-09-22 1997-10-20 1997-11-17'],
  ['FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=4', '19970928', '1997-09-28 1997-10-29 1997-11-28 1997-12-29'],
  ['FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1', '19970930', '1997-09-30 1997-10-01 1997-10-31 1997-11-01'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '20070115', '2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30'],
  ['FREQ=MONTHLY;COUNT=4', '20240131', '2024-01-31 2024-03-31 2024-05-31 2024-07-31'],
  ['FREQ=YEARLY;COUNT=4;BYMONTH=6,7', '19970610', '1997-06-10 1997-07-10 1998-06-10 1998-07-10'],
  [
    'FREQ=YEARLY;INTERVAL=3;COUNT=5;BYYEARDAY=1,100,200',
    '19970101',
    '1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09'
  ],
  ['FREQ=YEARLY;BYDAY=20MO;COUNT=3', '19970519', '1997-05-19 1998-05-18 1999-05-17'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', '19970512', '1997-05-12 1998-05-11 1999-05-17'],
  ['FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU;COUNT=2', '19971228', '1997-12-28 1999-01-03'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4', '19970313', '1997-03-13 1997-03-20 1997-03-27 1998-03-05'],
  ['FREQ=YEARLY;COUNT=3', '20240229', '2024-02-29 2028-02-29 2032-02-29'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3', '19980213', '1998-02-13 1998-03-13 1998-11-13'],
  [
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3',
    '19961105',
    '1996-11-05 2000-11-07 2004-11-02'
  ],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '19970904', '1997-09-04 1997-10-07 1997-11-06'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3', '19970929', '1997-09-29 1997-10-30 1997-11-27'],
  ['FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1;COUNT=2', '19970905', '1997-09-05 1997-09-12']
]

for (const [rule, start, expected] of days) {
  test(`${rule} from ${start} has the dates of RFC 5545`, () => {
    assert.deepEqual(
      listStarts(rule, `${start}T090000`),
      expected.split(' ').map(day => `${day} 09:00`)
    )
  })
}

const times: [rule: string, times: string][] = [
  ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z', '02 09:00, 02 12:00, 02 15:00'],
  ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', '02 09:00, 02 10:30, 02 12:00, 02 13:30'],
  ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20;COUNT=5', '02 09:00, 02 09:20, 02 10:00, 02 10:20, 03 09:00'],
  ['FREQ=MINUTELY;INTERVAL=40;BYHOUR=9,10;COUNT=4', '02 09:00, 02 09:40, 02 10:20, 03 09:00'],
  ['FREQ=HOURLY;BYHOUR=9,11;BYMINUTE=0,30;COUNT=4', '02 09:00, 02 09:30, 02 11:00, 02 11:30']
]

for (const [rule, expected] of times) {
  test(`${rule} from day 2 at 09:00 has the expected times`, () => {
    assert.deepEqual(
      listStarts(rule, '19970902T090000').map(start => start.slice(8)),
      expected.split(', ')
    )
  })
}

test('occurrences before the range are left out, but included in COUNT', () => {
  const range = { from: '20270301', to: '20270310' }
  assert.deepEqual(listStarts('FREQ=WEEKLY;BYDAY=MO', '19990104T190000', range), [
    '2027-03-01 19:00',
    '2027-03-08 19:00'
  ])
  assert.deepEqual(listStarts('FREQ=MONTHLY;BYDAY=1MO', '19990104T190000', range), ['2027-03-01 19:00'])
  assert.deepEqual(listStarts('FREQ=YEARLY', '19000305T190000', range), ['2027-03-05 19:00'])
  assert.deepEqual(listStarts('FREQ=DAILY;COUNT=3', '20270227T190000', range), ['2027-03-01 19:00'])
  assert.deepEqual(listStarts('FREQ=DAILY;COUNT=2', '20270227T190000', range), [])
})

test('the start is the first occurrence, even if it does not match the rule', () => {
  assert.deepEqual(listStarts('FREQ=WEEKLY;BYDAY=TU;COUNT=2', '20270301T190000'), [
    '2027-03-01 19:00',
    '2027-03-02 19:00'
  ])
})

for (const rule of [
  'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYDAY=1MO;BYMONTH=4;BYMONTHDAY=15,16',
  'FREQ=DAILY;INTERVAL=999999999999',
  'FREQ=SECONDLY;COUNT=999999999;BYMONTH=12'
]) {
  test(`${rule} has no occurrence after its start, and the search ends`, () => {
    assert.deepEqual(listStarts(rule, '20240101T000000', { to: '99991231' }), ['2024-01-01 00:00'])
  })
}

for (const rule of [
  '',
  'FREQ=',
  'FREQ=SOMETIMES',
  'INTERVAL=2',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;INTERVAL=-1',
  'FREQ=DAILY;COUNT=0',
  'FREQ=DAILY;COUNT=many',
  'FREQ=DAILY;UNTIL=never',
  'FREQ=MONTHLY;BYMONTHDAY=0',
  'FREQ=MONTHLY;BYMONTHDAY=32',
  'FREQ=MONTHLY;BYDAY=XX',
  'FREQ=DAILY;BYHOUR=24',
  'FREQ=WEEKLY;WKST=XX',
  'FREQ=DAILY;RSCALE=HEBREW',
  `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(2000)}1`
]) {
  test(`${JSON.stringify(rule.slice(0, 40))} is refused as a rule`, () => {
    assert.equal(parseRule(rule, parseBasicTime), undefined)
  })
}

test('any rule has its occurrences in order and within the range, and ends', () => {
  const numbers = (least: number, most: number) =>
    fc.array(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 })
  const weekday = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.constantFrom('MO', 'WE', 'SU'))
  const parts = {
    FREQ: fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    INTERVAL: fc.integer({ min: 1, max: 100 }),
    COUNT: fc.integer({ min: 1, max: 1000 }),
    BYMONTH: numbers(1, 12),
    BYWEEKNO: numbers(1, 53),
    BYYEARDAY: numbers(-366, -1),
    BYMONTHDAY: numbers(1, 31),
    BYDAY: fc.array(weekday, { minLength: 1, maxLength: 3 }).map(all => all.map(([nth, day]) => (nth || '') + day)),
    BYHOUR: numbers(0, 23),
    BYSECOND: numbers(0, 60),
    BYSETPOS: numbers(-3, -1)
  }
  const rules = fc.record(parts, { requiredKeys: ['FREQ'] })
  fc.assert(
    fc.property(rules, rule => {
      const text = Object.entries(rule).map(([name, value]) => `${name}=${value}`)
      const found = listStarts(text.join(';'), '20270227T233000', {
        from: '20270601',
        to: '20280601',
        left: 20_000,
        digits: 19
      })
      assert.deepEqual(found, [...new Set(found)].sort())
      assert.ok(found.every(start => start >= '2027-06-01' && start < '2028-06-02'))
    }),
    { numRuns: countRuns(200) }
  )
})
