import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../language.ts'
import { readCatalogues } from './catalogue-files.ts'
import { checkCatalogues } from './check-catalogues.ts'
import { buildFieldText, joinByOr } from './combine-texts.ts'
import { compileMessage } from './compile-message.ts'
import { formatLongDay, formatMoment, formatNumericDay } from './format-day.ts'
import { listArguments, parseMessage } from './message-arguments.ts'
import { buildText, findText, formatMessage, getMessages, hasMessage } from './messages.ts'

test('the languages of the package are complete, and have the arguments of the English messages', () => {
  for (const language of languages) {
    assert.deepEqual(checkCatalogues(language), { missing: [], wrong: [] }, language)
  }
})

test('a message is a text, or a function of its arguments', () => {
  assert.equal(getMessages('layout', 'en').skip, 'Skip to the content')
  assert.equal(getMessages('layout', 'de').skip, 'Zum Inhalt springen')
  assert.equal(getMessages('campaign-page', 'de').updatesOf({ campaign: 'Dach' }), 'Neuigkeiten zu Dach')
  assert.equal(getMessages('layout', 'en').failure[404].title, 'Page not found')
})

test('plural forms follow the language, and numbers are written in it', () => {
  const { donations } = getMessages('donate', 'de')
  assert.deepEqual(
    [0, 1, 1200].map(count => donations({ count })),
    ['0 Spenden', '1 Spende', '1.200 Spenden']
  )
  const polish = compileMessage('{count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}', 'pl')
  assert.deepEqual([polish({ count: 1 }), polish({ count: 3 }), polish({ count: 5 })], ['1 dzień', '3 dni', '5 dni'])
  const french = compileMessage('{count, plural, one {# don} other {# dons}}', 'fr')
  assert.deepEqual([french({ count: 0 }), french({ count: 2 })], ['0 don', '2 dons'])
  const ordinal = compileMessage('{day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', 'en')
  assert.deepEqual([ordinal({ day: 2 }), ordinal({ day: 11 })], ['2nd', '11th'])
})

test('select chooses by a value, exact numbers come first, and quotes protect braces', () => {
  const message = compileMessage(
    "{isOpen, select, true {open} other {closed}}, {n, plural, =0 {none} other {#}} '{x}'",
    'en'
  )
  assert.equal(message({ isOpen: true, n: 0 }), 'open, none {x}')
  assert.equal(message({ isOpen: false, n: 2 }), 'closed, 2 {x}')
})

test('values are inserted as they are', () => {
  const message = compileMessage('{name} <b>', 'en')
  assert.equal(message({ name: "{count} '' <i>" }), "{count} '' <i> <b>")
})

test('the arguments of a message are found in all of its forms', () => {
  const found = listArguments(parseMessage('{a}{n, plural, one {{b}} other {{isIt, select, true {x} other {}}}}'))
  assert.deepEqual(Object.fromEntries(found), { a: 'text', n: 'number', b: 'text', isIt: 'boolean' })
})

test('a text has all languages', () => {
  const text = buildText('campaign-page', 'allNames', { count: 3 })
  assert.deepEqual(text, { en: 'All names (3)', de: 'Alle Namen (3)' })
  assert.deepEqual(buildText('layout', 'skip'), { en: 'Skip to the content', de: 'Zum Inhalt springen' })
})

test('arguments of a text can depend on the language', () => {
  const text = buildText('campaign-problems', 'campaignEnded', language => ({
    endsAt: formatMoment('2026-12-01T18:30:00.000Z', language)
  }))
  assert.deepEqual(text, {
    en: 'The campaign ended at 2026-12-01T18:30:00.000Z.',
    de: 'Die Spendenaktion endete am 1. Dezember 2026 um 18:30 Uhr (UTC).'
  })
  const days = (['en', 'de'] as const).map(language => [
    formatNumericDay('2026-12-01', language),
    formatLongDay('2026-12-01', language)
  ])
  assert.deepEqual(days, [
    ['2026-12-01', '2026-12-01'],
    ['01.12.2026', '1. Dezember 2026']
  ])
})

test('a rule becomes a sentence about its field, and values are joined by “or”', () => {
  const rule = buildText('validation', 'required')
  assert.deepEqual(buildFieldText('name', rule), { en: 'name is required.', de: 'name fehlt.' })
  assert.deepEqual(buildFieldText({ en: 'The body', de: 'Der Inhalt' }, rule), {
    en: 'The body is required.',
    de: 'Der Inhalt fehlt.'
  })
  assert.equal(joinByOr(['a', 'b', 'c'], 'de'), 'a oder b oder c')
  assert.equal(joinByOr([], 'en'), '')
})

test('a message whose key is data is found by its path, and only if it exists', () => {
  const { verbs, special } = getMessages('activity', 'en')
  assert.equal(findText(verbs, 'account_request.created'), 'requested')
  assert.equal(findText(verbs, 'constructor'), undefined)
  assert.deepEqual(
    ['AC04', 'XX99', 'constructor'].map(code => hasMessage('return-codes', code)),
    [true, false, false]
  )
  assert.equal(findText(verbs, 'created.more'), undefined)
  assert.equal(formatMessage(special, 'donor.merged', { who: 'Anna' }), 'Anna merged two donors')
  assert.equal(formatMessage(special, 'donor.unknown', { who: 'Anna' }), undefined)
})

test('faults of a translation are found: unknown keys and arguments, broken braces, paths without their parameters', () => {
  const catalogues = readCatalogues('de')
  const own = new Map(catalogues)
  try {
    catalogues.set('layout', { skip: 'Zum {was}', unknown: 'x', menu: '{' })
    catalogues.set('paths', { event: 'termin', venue: 'Ort/:slug' })
    const { wrong, missing } = checkCatalogues('de')
    assert.deepEqual(
      wrong.map(line => line.replace(/\(.*\)/, '(…)')),
      [
        'de/layout.json: skip: English has no argument was.',
        'de/layout.json: unknown: there is no such message in English.',
        'de/layout.json: menu: it cannot be read (…).',
        'de/paths.json: event: the path needs :slug.',
        'de/paths.json: venue: a path has small letters, digits and hyphens.'
      ]
    )
    assert.ok(missing.includes('layout: calendar'))
  } finally {
    for (const [area, messages] of own) catalogues.set(area, messages)
  }
})
