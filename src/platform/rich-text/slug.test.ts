import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { toSlug, withSuffix } from './slug.ts'

for (const [title, german, english = german] of [
  ['Bürgerhaus Straße & Öl', 'buergerhaus-strasse-oel', 'burgerhaus-strase-ol'],
  ['STRAẞE ÄÖÜ', 'strasse-aeoeue', 'strase-aou'],
  ['Bu\u0308rger', 'buerger', 'burger'],
  ['C++/Go Meetup', 'c-go-meetup'],
  ['10 € Abend', '10-e-abend'],
  ['£5 Day', '5-day'],
  ['日本語の会', '%e6%97%a5%e6%9c%ac%e8%aa%9e%e3%81%ae%e4%bc%9a'],
  ['ДОМ', '%d0%b4%d0%be%d0%bc'],
  ['🎉 Party', '%f0%9f%8e%89-party'],
  ['v1.5 Release', 'v1-5-release'],
  ['snake_case Title', 'snake_case-title'],
  ['100% Bio', '100-bio'],
  ['Ada’s “Big” Day — 2 × 3', 'adas-big-day-2-x-3'],
  ['« Fête » … ça va ¿qué? Œuvre', 'fete-ca-va-que-oeuvre'],
  ['Łódź, Đà Nẵng, İzmir, Þingvellir, Ærø, ǚ', 'lodz-da-nang-izmir-thingvellir-aero-u'],
  ['Țară Șapte', 'tara-sapte'],
  ['soft\u00adhyphen and no\u00a0break', 'softhyphen-and-no-break'],
  ['<b>Bold</b> &amp; brave &#8211; I <3 you', 'bold-brave-i-3-you'],
  ['  --a -- b--  ', 'a-b'],
  ['%e6%97%a5-2', '%e6%97%a5-2'],
  ['%E6%97%A5', '%e6%97%a5'],
  ['50%41 %2F %ff', '5041-2f-ff'],
  ['\ud800lone', 'lone'],
  ['!!!', ''],
  ['', '']
] as const) {
  test(`the slug of ${JSON.stringify(title)} is ${german} in German and ${english} in English`, () => {
    assert.equal(toSlug(title, 'de'), german)
    assert.equal(toSlug(title, 'en'), english)
  })
}

test('a slug has at most 200 bytes and no truncated characters', () => {
  assert.equal(toSlug('a'.repeat(300), 'en'), 'a'.repeat(200))
  assert.equal(toSlug('日'.repeat(300), 'en'), '%e6%97%a5'.repeat(22))
  assert.equal(toSlug(`${'a'.repeat(195)}🎉b`, 'en'), 'a'.repeat(195))
  assert.equal(toSlug(`${'a'.repeat(199)} b`, 'en'), 'a'.repeat(199))
})

test('a suffix is added, and the slug is shortened so that both fit', () => {
  assert.equal(withSuffix('summer', 2), 'summer-2')
  assert.equal(withSuffix('a'.repeat(200), 12), `${'a'.repeat(197)}-12`)
  assert.equal(withSuffix(`${'a'.repeat(197)}-bc`, 2), `${'a'.repeat(197)}-2`)
  assert.equal(withSuffix(`aaa${'%e6%97%a5'.repeat(21)}%d0%b4`, 2), `aaa${'%e6%97%a5'.repeat(21)}%d0%b4-2`)
  assert.equal(withSuffix(`${'%e6%97%a5'.repeat(22)}ab`, 2), `${'%e6%97%a5'.repeat(22)}-2`)
  assert.equal(withSuffix(`a${'%e6%97%a5'.repeat(22)}`, 2), `a${'%e6%97%a5'.repeat(21)}-2`)
})

test('the slug of any text is valid in a URL, and is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom('de', 'en'), (text, language) => {
      const slug = toSlug(text, language)
      assert.match(slug, /^(?:(?:[a-z0-9_]|%[0-9a-f]{2})+(?:-(?:[a-z0-9_]|%[0-9a-f]{2})+)*)?$/)
      assert.ok(slug.length <= 200)
      assert.ok(decodeURIComponent(slug).isWellFormed())
      assert.equal(toSlug(slug, language), slug)
    })
  )
})

test('a title of a megabyte has a slug of at most 200 bytes', { skip: skipUnlessFull }, () => {
  for (const part of ['-', ' ', '%', '&', '<a', '日', '%e6%97', 'ä'])
    assert.ok(toSlug(part.repeat(1_000_000 / Buffer.byteLength(part)), 'de').length <= 200)
})
