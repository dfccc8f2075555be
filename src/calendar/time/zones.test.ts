import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getAbbreviation, getOffsetMinutes, parseZone } from './zones.ts'

const winter = new Date('2027-01-15T12:00:00Z')
const summer = new Date('2027-07-15T12:00:00Z')

const parsedZones: [input: string, stored: string | undefined][] = [
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  [' Europe/Berlin ', 'Europe/Berlin'],
  ['EUROPE/KIEV', 'Europe/Kiev'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['us/eastern', 'US/Eastern'],
  ['asia/calcutta', 'Asia/Calcutta'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['africa/dar_es_salaam', 'Africa/Dar_es_Salaam'],
  ['america/north_dakota/new_salem', 'America/North_Dakota/New_Salem'],
  ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
  ['nz-chat', 'NZ-CHAT'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
  ['gmt', 'GMT'],
  ['EST', 'EST'],
  ['cest', 'CEST'],
  ['Z', 'Z'],
  ['+02:00', '+02:00'],
  ['-0530', '-05:30'],
  ['+14:00', '+14:00'],
  ['-12:00', '-12:00'],
  ['UTC+0', 'UTC+0'],
  ['UTC+3', 'UTC+3'],
  ['UTC+5.5', 'UTC+5.5'],
  ['UTC-5.5', 'UTC-5.5'],
  ['UTC+5.75', 'UTC+5.75'],
  ['UTC+05:30', 'UTC+05:30'],
  ['UTC+14', 'UTC+14'],
  ['UTC-12', 'UTC-12'],
  ['', undefined],
  ['utc+2', undefined],
  ['Utc+2', undefined],
  ['UTC+', undefined],
  ['UTC+5.3', undefined],
  ['UTC+14.5', undefined],
  ['UTC-12.25', undefined],
  ['UTC+05:60', undefined],
  ['+14:01', undefined],
  ['-12:30', undefined],
  ['+2:60', undefined],
  ['Foo/Bar', undefined],
  ['Europe/', undefined],
  ['ACT', undefined],
  ['IST', undefined],
  ['SystemV/EST5', undefined],
  ['2027-01-01T00:00[Europe/Berlin]', undefined],
  ['now', undefined]
]

for (const [input, stored] of parsedZones) {
  test(`the time zone '${input}' is ${stored === undefined ? 'refused' : `stored as ${stored}`}`, () => {
    assert.equal(parseZone(input), stored)
  })
}

const abbreviations: [zone: string, inWinter: [string, number], inSummer: [string, number]][] = [
  ['Europe/Berlin', ['CET', 60], ['CEST', 120]],
  ['Europe/London', ['GMT', 0], ['BST', 60]],
  ['Europe/Jersey', ['GMT', 0], ['BST', 60]],
  ['Europe/Dublin', ['GMT', 0], ['IST', 60]],
  ['Europe/Lisbon', ['WET', 0], ['WEST', 60]],
  ['Europe/Kiev', ['EET', 120], ['EEST', 180]],
  ['Europe/Moscow', ['MSK', 180], ['MSK', 180]],
  ['Europe/Minsk', ['+03', 180], ['+03', 180]],
  ['Europe/Istanbul', ['+03', 180], ['+03', 180]],
  ['America/New_York', ['EST', -300], ['EDT', -240]],
  ['US/Eastern', ['EST', -300], ['EDT', -240]],
  ['America/Chicago', ['CST', -360], ['CDT', -300]],
  ['America/Denver', ['MST', -420], ['MDT', -360]],
  ['America/Phoenix', ['MST', -420], ['MST', -420]],
  ['America/Los_Angeles', ['PST', -480], ['PDT', -420]],
  ['America/Anchorage', ['AKST', -540], ['AKDT', -480]],
  ['Pacific/Honolulu', ['HST', -600], ['HST', -600]],
  ['America/St_Johns', ['NST', -210], ['NDT', -150]],
  ['America/Sao_Paulo', ['-03', -180], ['-03', -180]],
  ['Asia/Tokyo', ['JST', 540], ['JST', 540]],
  ['Asia/Kolkata', ['IST', 330], ['IST', 330]],
  ['Asia/Kathmandu', ['+0545', 345], ['+0545', 345]],
  ['Australia/Sydney', ['AEDT', 660], ['AEST', 600]],
  ['Australia/Lord_Howe', ['+11', 660], ['+1030', 630]],
  ['Pacific/Auckland', ['NZDT', 780], ['NZST', 720]],
  ['Pacific/Apia', ['+13', 780], ['+13', 780]],
  ['Etc/UTC', ['UTC', 0], ['UTC', 0]],
  ['Etc/GMT', ['GMT', 0], ['GMT', 0]],
  ['Etc/GMT+5', ['-05', -300], ['-05', -300]],
  ['UTC', ['UTC', 0], ['UTC', 0]],
  ['Z', ['Z', 0], ['Z', 0]],
  ['CET', ['CET', 60], ['CET', 60]],
  ['EST', ['EST', -300], ['EST', -300]],
  ['UTC+0', ['UTC+0', 0], ['UTC+0', 0]],
  ['UTC+05:30', ['UTC+05:30', 330], ['UTC+05:30', 330]],
  ['UTC-5.5', ['UTC-5.5', -330], ['UTC-5.5', -330]],
  ['+02:00', ['GMT+0200', 120], ['GMT+0200', 120]],
  ['-05:30', ['GMT-0530', -330], ['GMT-0530', -330]]
]

for (const [zone, inWinter, inSummer] of abbreviations) {
  test(`${zone} is ${inWinter[0]} in January and ${inSummer[0]} in July`, () => {
    assert.deepEqual([getAbbreviation(zone, winter), getOffsetMinutes(zone, winter)], inWinter)
    assert.deepEqual([getAbbreviation(zone, summer), getOffsetMinutes(zone, summer)], inSummer)
  })
}

test('the offset changes at the exact second of the clock change', () => {
  assert.equal(getOffsetMinutes('Europe/Berlin', new Date('2027-03-28T00:59:59.999Z')), 60)
  assert.equal(getOffsetMinutes('Europe/Berlin', new Date('2027-03-28T01:00:00.000Z')), 120)
})

test('every time zone of Intl is stored under its name, from lower or upper case', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    assert.equal(parseZone(zone.toLowerCase()), zone)
    assert.equal(parseZone(zone.toUpperCase()), zone)
  }
})

test('a stored time zone is parsed as itself, and has an offset and an abbreviation', () => {
  const spellings = fc.oneof(fc.string(), fc.stringMatching(/^(UTC)?[+-]\d{1,2}([:.]?\d\d?)?$/))
  fc.assert(
    fc.property(spellings, text => {
      const zone = parseZone(text)
      if (zone === undefined) return
      assert.equal(parseZone(zone), zone)
      const minutes = getOffsetMinutes(zone, winter)
      assert.ok(minutes >= -12 * 60 && minutes <= 14 * 60, `${zone} ${minutes}`)
      assert.notEqual(getAbbreviation(zone, winter), '')
    })
  )
})

test('a time zone name of a megabyte is refused quickly', { timeout: 2000 }, () => {
  for (const piece of ['a', ' ', 'a/', '+1', 'UTC+']) assert.equal(parseZone(piece.repeat(1_000_000)), undefined)
})
