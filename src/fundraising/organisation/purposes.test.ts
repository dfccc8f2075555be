import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPurposes, inflectPurposes, officialPurposes, type PurposeCode, purposeCodes } from './purposes.ts'

/** The beginning of each purpose of the law after "Förderung" and after "Wir fördern". */
const beginnings: Record<PurposeCode, [genitive: string, accusative: string]> = {
  '52-1': ['von Wissenschaft', 'Wissenschaft'],
  '52-2': ['der Religion', 'die Religion'],
  '52-3': ['des öffentlichen Gesundheitswesens', 'das öffentliche Gesundheitswesen'],
  '52-4': ['der Jugend-', 'die Jugend-'],
  '52-5': ['von Kunst', 'Kunst'],
  '52-6': ['des Denkmalschutzes', 'den Denkmalschutz'],
  '52-7': ['der Erziehung', 'die Erziehung'],
  '52-8': ['des Naturschutzes', 'den Naturschutz'],
  '52-9': ['des Wohlfahrtswesens', 'das Wohlfahrtswesen'],
  '52-10': ['der Hilfe', 'die Hilfe'],
  '52-11': ['der Rettung', 'die Rettung'],
  '52-12': ['des Feuer-', 'den Feuer-'],
  '52-13': ['internationaler Gesinnung', 'internationale Gesinnung'],
  '52-14': ['des Tierschutzes', 'den Tierschutz'],
  '52-15': ['der Entwicklungszusammenarbeit', 'die Entwicklungszusammenarbeit'],
  '52-16': ['von Verbraucherberatung', 'Verbraucherberatung'],
  '52-17': ['der Fürsorge', 'die Fürsorge'],
  '52-18': ['der Gleichberechtigung', 'die Gleichberechtigung'],
  '52-19': ['des Schutzes', 'den Schutz'],
  '52-20': ['der Kriminalprävention', 'die Kriminalprävention'],
  '52-21': ['des Sports', 'den Sport'],
  '52-22': ['der Heimatpflege', 'die Heimatpflege'],
  '52-23': ['der Tierzucht', 'die Tierzucht'],
  '52-24': ['des demokratischen Staatswesens', 'das demokratische Staatswesen'],
  '52-25': ['des bürgerschaftlichen Engagements', 'das bürgerschaftliche Engagement'],
  '52-26': ['der Unterhaltung', 'die Unterhaltung'],
  '52-27': ['wohngemeinnütziger Zwecke', 'wohngemeinnützige Zwecke'],
  '53': ['mildtätiger Zwecke', 'mildtätige Zwecke'],
  '54': ['kirchlicher Zwecke', 'kirchliche Zwecke']
}

test('every purpose of the law has the genitive after "Förderung" and the accusative after "Wir fördern"', () => {
  assert.equal(purposeCodes.length, 29)
  for (const code of purposeCodes) {
    const forms = formatPurposes([code], '')
    const [genitive, accusative] = beginnings[code]
    assert.ok(forms.genitive.startsWith(genitive), `zur Förderung ${forms.genitive}`)
    assert.ok(forms.accusative.startsWith(accusative), `Wir fördern ${forms.accusative}`)
    // Any grammatical case is recognised, also without the article.
    const withoutArticle = forms.accusative.replace(/^(?:die|den|das) /, '')
    for (const typed of [forms.genitive, forms.accusative, withoutArticle, `die Förderung ${forms.genitive}`]) {
      assert.deepEqual(inflectPurposes(typed), forms, typed)
    }
  }
})

test('several purposes are joined to one list, in the order of the law', () => {
  assert.deepEqual(formatPurposes(['52-21', '52-14'], ''), {
    genitive: 'des Tierschutzes und des Sports',
    accusative: 'den Tierschutz und den Sport'
  })
  assert.deepEqual(formatPurposes(['52-5', '52-4'], 'Sport'), {
    genitive: 'der Jugend- und Altenhilfe, von Kunst und Kultur sowie des Sports',
    accusative: 'die Jugend- und Altenhilfe, Kunst und Kultur sowie den Sport'
  })
  for (const one of purposeCodes) {
    for (const other of purposeCodes.filter(code => code !== one)) {
      const { genitive, accusative } = formatPurposes([one, other], '')
      for (const code of [one, other]) {
        assert.ok(genitive.includes(officialPurposes[code].genitive))
        assert.ok(accusative.includes(officialPurposes[code].accusative))
      }
      assert.match(accusative, / (?:und|sowie) /)
    }
  }
  assert.deepEqual(formatPurposes([], ' '), { genitive: '', accusative: '' })
})

test('an entered purpose is recognised in any grammatical case', () => {
  const expected: [typed: string, genitive: string, accusative: string][] = [
    ['der Jugendhilfe', 'der Jugendhilfe', 'die Jugendhilfe'],
    ['die Jugendhilfe', 'der Jugendhilfe', 'die Jugendhilfe'],
    ['Jugendhilfe.', 'der Jugendhilfe', 'die Jugendhilfe'],
    ['Kunst und Kultur', 'von Kunst und Kultur', 'Kunst und Kultur'],
    ['des Sports und der Heimatpflege', 'des Sports und der Heimatpflege', 'den Sport und die Heimatpflege'],
    ['Sport und Heimatpflege', 'des Sports und der Heimatpflege', 'den Sport und die Heimatpflege'],
    ['der Sport', 'des Sports', 'den Sport'],
    ['der Kinder- und Jugendhilfe', 'der Kinder- und Jugendhilfe', 'die Kinder- und Jugendhilfe'],
    ['der Bildung und Erziehung', 'der Bildung und Erziehung', 'die Bildung und Erziehung'],
    ['von Bildung und Sport', 'von Bildung und Sport', 'Bildung und Sport'],
    ['Feuer- und Katastrophenschutz', 'des Feuer- und Katastrophenschutzes', 'den Feuer- und Katastrophenschutz'],
    ['Umweltschutz & Klimaschutz', 'des Umweltschutzes und Klimaschutzes', 'den Umweltschutz und Klimaschutz'],
    [
      'Bildung, Kunst und Kultur sowie Sport',
      'der Bildung, von Kunst und Kultur sowie des Sports',
      'die Bildung, Kunst und Kultur sowie den Sport'
    ]
  ]
  for (const [typed, genitive, accusative] of expected) {
    assert.deepEqual(formatPurposes([], typed), { genitive, accusative }, typed)
  }
})

test('an entered purpose that cannot be inflected is quoted, so that it needs no inflection', () => {
  assert.deepEqual(formatPurposes([], 'der Grillkultur in Köln'), {
    genitive: 'der Grillkultur in Köln',
    accusative: 'folgenden Zweck: „Förderung der Grillkultur in Köln“'
  })
  assert.deepEqual(formatPurposes(['52-21'], 'Rettung alter Apfelsorten'), {
    genitive: 'des Sports und der Zwecke „Rettung alter Apfelsorten“',
    accusative: 'den Sport und die Zwecke „Rettung alter Apfelsorten“'
  })
  assert.deepEqual(
    formatPurposes(['52-21'], 'der Apfelsorten im Alten Land').accusative,
    'den Sport und den Zweck „Förderung der Apfelsorten im Alten Land“'
  )
  // A long text does not take exponential time.
  assert.match(inflectPurposes(`${'Kunst und Kultur und '.repeat(14)}Xyz`).genitive, /^der Zwecke „/)
})
