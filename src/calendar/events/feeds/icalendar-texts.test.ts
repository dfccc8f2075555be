import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { anyCharacter } from '#test/support/any-character.ts'
import { countRuns, skipUnlessFull } from '#test/support/full-run.ts'
import { formatICalendar, type ICalEvent, type ICalHeader } from './icalendar.ts'

const head: ICalHeader = {
  name: 'Bürgerhaus',
  description: 'Everything that happens here',
  language: 'en',
  source: 'https://example.org/calendar.ics',
  url: 'https://example.org/calendar'
}

const concert: ICalEvent = {
  uid: 'event-7@example.org',
  version: 3,
  createdAt: new Date('2026-11-01T08:00:00Z'),
  modifiedAt: new Date('2026-12-24T18:30:15.250Z'),
  title: 'Concert',
  description: '',
  start: '2027-02-01 10:00:00',
  end: '2027-02-01 12:30:00',
  startUtc: new Date('2027-02-01T09:00:00Z'),
  endUtc: new Date('2027-02-01T11:30:00Z'),
  timezone: 'Europe/Berlin',
  allDay: false,
  status: 'scheduled',
  url: 'https://example.org/events/concert',
  location: '',
  geo: null,
  categories: [],
  image: null,
  contact: ''
}

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\\',
        '\\n',
        ';',
        ',',
        ':',
        '"',
        ' ',
        '\t',
        '^',
        '\u2028',
        '\u0085',
        '\0',
        '\x0b'
      ),
      fc.constantFrom(
        'END:VEVENT',
        '\r\nBEGIN:VALARM\r\n',
        '\nATTENDEE:mailto:a@b',
        'ü',
        '🎉',
        '\ud83c',
        '\udf89',
        'é'
      ),
      fc.string({ unit: anyCharacter })
    ),
    { maxLength: 30 }
  )
  .map(pieces => pieces.join(''))

test('no text can inject a property or component: ical.js reads back the same texts and nothing else', () => {
  fc.assert(
    fc.property(
      hostileText,
      hostileText,
      // ical.js reads a backslash at the end of a category as an escape of the following comma.
      fc.array(
        fc.oneof(
          fc.constantFrom('', '\0'),
          hostileText.map(category => `${category}.`)
        )
      ),
      hostileText,
      hostileText.map(address => address.replaceAll('%', '')),
      (title, description, categories, contact, url) => {
        const entry = {
          ...concert,
          uid: `event-7@h${contact}`,
          title,
          description,
          location: title,
          categories,
          contact,
          url
        }
        const image = { url, mimeType: description }
        const text = formatICalendar({ ...head, name: title, description, url }, [{ ...entry, image }])
        assertWellFolded(text)
        const calendar = parse(text)
        assert.deepEqual(
          calendar.getAllSubcomponents().map(({ name }) => name),
          ['vtimezone', 'vevent']
        )
        const [event] = calendar.getAllSubcomponents('vevent')
        assert.ok(event !== undefined)
        assert.equal(event.getAllSubcomponents().length, 0)
        const value = (name: string): unknown => event.getFirstPropertyValue(name) ?? ''
        assert.equal(value('summary'), toReadableText(title))
        assert.equal(value('location'), toReadableText(title))
        assert.equal(value('description'), toReadableText(description))
        assert.equal(value('contact'), toReadableText(contact))
        assert.equal(value('uid'), `event-7@h${toReadableText(contact)}`)
        assert.equal(unescapeText(calendar.getFirstPropertyValue('name')), toReadableText(title))
        assert.deepEqual(
          event.getFirstProperty('categories')?.getValues() ?? [],
          categories.map(toReadableText).filter(category => category !== '')
        )
        assert.match(String(value('url')), /^[!-~]*$/)
        assert.equal(decodeURIComponent(String(value('url'))), url.trim().toWellFormed())
        const names = new Set(event.getAllProperties().map(({ name }) => name))
        assert.deepEqual(
          [...names].filter(name => !expectedNames.has(name)),
          []
        )
      }
    ),
    { numRuns: countRuns(400) }
  )
})

const urls: [input: string, written: string][] = [
  ['https://example.org/a?b=c,d;e&f=%20#g', 'https://example.org/a?b=c,d;e&f=%20#g'],
  ['https://example.org/straße 1', 'https://example.org/stra%C3%9Fe%201'],
  ['https://example.org/\r\nATTENDEE:mailto:a@b', 'https://example.org/%0D%0AATTENDEE:mailto:a@b'],
  ['https://[2001:db8::1]:8080/', 'https://[2001:db8::1]:8080/']
]

for (const [input, written] of urls) {
  test(`the URL ${JSON.stringify(input)} is written as ${written}`, () => {
    const [event] = parse(formatICalendar(head, [{ ...concert, url: input }])).getAllSubcomponents('vevent')
    assert.equal(event?.getFirstPropertyValue('url'), written)
  })
}

test('lines are folded at exactly 75 octets and never inside a character', () => {
  const text = formatICalendar(head, [
    { ...concert, title: `${'a'.repeat(54)}${'🎉'.repeat(40)}`, description: 'b'.repeat(200) }
  ])
  assertWellFolded(text)
  const lines = text.split('\r\n').map(line => Buffer.byteLength(line))
  assert.equal(Math.max(...lines), 75)
  assert.ok(!text.includes('\ufffd'))
})

test('a text of a megabyte is written and folded correctly', { skip: skipUnlessFull }, () => {
  for (const piece of ['a', '\\', '\r\n', 'ü', '\u0000', '\ud800', ' ']) {
    const long = piece.repeat(1_000_000)
    assertWellFolded(formatICalendar(head, [{ ...concert, description: long, url: long }]))
  }
})

const expectedNames = new Set(
  'uid dtstamp created last-modified sequence dtstart dtend summary description location categories url image contact status transp'.split(
    ' '
  )
)

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text))
}

function assertWellFolded(text: string): void {
  const lines = text.split('\r\n')
  assert.ok(lines.every(line => Buffer.byteLength(line) <= 75))
  assert.ok(lines.every(line => !line.includes('\n') && !line.includes('\r')))
  assert.ok(text.isWellFormed())
}

/** The text that a reader sees: one kind of line break, no control characters, no lone surrogates. */
function toReadableText(text: string): string {
  let seen = ''
  for (const character of text.replaceAll('\r\n', '\n')) {
    const code = character.codePointAt(0) ?? 0
    if (['\r', '\u0085', '\u2028', '\u2029'].includes(character)) seen += '\n'
    else if (code >= 0xd800 && code <= 0xdfff) seen += '\ufffd'
    else if (character === '\n' || character === '\t' || (code >= 0x20 && (code < 0x7f || code > 0x9f)))
      seen += character
  }
  return seen
}

/** For NAME, which ical.js does not unescape. */
function unescapeText(value: unknown): string {
  return String(value ?? '').replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}
