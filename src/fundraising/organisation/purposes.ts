/**
 * The charitable purposes of an organisation in the two grammatical cases of the official form: the genitive after
 * "Förderung" and the accusative after "Wir fördern". Treasurers choose them from the list in the law or type their
 * own.
 */

/** Both grammatical forms of a purpose. */
export interface PurposeForms {
  /** Follows "zur Förderung": der Jugendhilfe. */
  genitive: string
  /** Follows "Wir fördern": die Jugendhilfe. */
  accusative: string
}

const newPurpose = (genitive: string, accusative: string): PurposeForms => ({ genitive, accusative })
const people =
  'Hilfe für politisch, rassistisch oder religiös Verfolgte, für Flüchtlinge, Vertriebene, Aussiedler, Spätaussiedler, ' +
  'Kriegsopfer, Kriegshinterbliebene, Kriegsbeschädigte und Kriegsgefangene, Zivilbeschädigte und Behinderte'
const nature = 'im Sinne des Bundesnaturschutzgesetzes und der Naturschutzgesetze der Länder'
const climate = 'einschließlich des Klimaschutzes, des Küstenschutzes und des Hochwasserschutzes'
const carnival = 'einschließlich des Karnevals, der Fastnacht und des Faschings'
const engagement = 'zugunsten gemeinnütziger, mildtätiger und kirchlicher Zwecke'
const memorials = 'Unterhaltung von Gedenkstätten für nichtbestattungspflichtige Kinder und Föten'

/** Keys are paragraph and number: § 52 Abs. 2 Satz 1 AO, and the charitable (§ 53) and church purposes (§ 54). */
export const officialPurposes = {
  '52-1': newPurpose('von Wissenschaft und Forschung', 'Wissenschaft und Forschung'),
  '52-2': newPurpose('der Religion', 'die Religion'),
  '52-3': newPurpose(
    'des öffentlichen Gesundheitswesens und der öffentlichen Gesundheitspflege',
    'das öffentliche Gesundheitswesen und die öffentliche Gesundheitspflege'
  ),
  '52-4': newPurpose('der Jugend- und Altenhilfe', 'die Jugend- und Altenhilfe'),
  '52-5': newPurpose('von Kunst und Kultur', 'Kunst und Kultur'),
  '52-6': newPurpose('des Denkmalschutzes und der Denkmalpflege', 'den Denkmalschutz und die Denkmalpflege'),
  '52-7': newPurpose(
    'der Erziehung, Volks- und Berufsbildung einschließlich der Studentenhilfe',
    'die Erziehung, Volks- und Berufsbildung einschließlich der Studentenhilfe'
  ),
  '52-8': newPurpose(
    `des Naturschutzes und der Landschaftspflege ${nature}, des Umweltschutzes, ${climate}`,
    `den Naturschutz und die Landschaftspflege ${nature}, den Umweltschutz, ${climate}`
  ),
  '52-9': newPurpose('des Wohlfahrtswesens', 'das Wohlfahrtswesen'),
  '52-10': newPurpose(
    `der ${people} sowie der Hilfe für Opfer von Straftaten`,
    `die ${people} sowie die Hilfe für Opfer von Straftaten`
  ),
  '52-11': newPurpose('der Rettung aus Lebensgefahr', 'die Rettung aus Lebensgefahr'),
  '52-12': newPurpose(
    'des Feuer-, Arbeits-, Katastrophen- und Zivilschutzes sowie der Unfallverhütung',
    'den Feuer-, Arbeits-, Katastrophen- und Zivilschutz sowie die Unfallverhütung'
  ),
  '52-13': newPurpose(
    'internationaler Gesinnung, der Toleranz auf allen Gebieten der Kultur und des Völkerverständigungsgedankens',
    'internationale Gesinnung, die Toleranz auf allen Gebieten der Kultur und den Völkerverständigungsgedanken'
  ),
  '52-14': newPurpose('des Tierschutzes', 'den Tierschutz'),
  '52-15': newPurpose('der Entwicklungszusammenarbeit', 'die Entwicklungszusammenarbeit'),
  '52-16': newPurpose('von Verbraucherberatung und Verbraucherschutz', 'Verbraucherberatung und Verbraucherschutz'),
  '52-17': newPurpose(
    'der Fürsorge für Strafgefangene und ehemalige Strafgefangene',
    'die Fürsorge für Strafgefangene und ehemalige Strafgefangene'
  ),
  '52-18': newPurpose('der Gleichberechtigung von Frauen und Männern', 'die Gleichberechtigung von Frauen und Männern'),
  '52-19': newPurpose('des Schutzes von Ehe und Familie', 'den Schutz von Ehe und Familie'),
  '52-20': newPurpose('der Kriminalprävention', 'die Kriminalprävention'),
  '52-21': newPurpose('des Sports', 'den Sport'),
  '52-22': newPurpose(
    'der Heimatpflege, Heimatkunde und der Ortsverschönerung',
    'die Heimatpflege, Heimatkunde und die Ortsverschönerung'
  ),
  '52-23': newPurpose(
    `der Tierzucht, der Pflanzenzucht, der Kleingärtnerei, des traditionellen Brauchtums ${carnival}, der Soldaten- und ` +
      'Reservistenbetreuung, des Amateurfunkens, des Freifunks, des Modellflugs und des Hundesports',
    `die Tierzucht, die Pflanzenzucht, die Kleingärtnerei, das traditionelle Brauchtum ${carnival}, die Soldaten- und ` +
      'Reservistenbetreuung, das Amateurfunken, den Freifunk, den Modellflug und den Hundesport'
  ),
  '52-24': newPurpose('des demokratischen Staatswesens', 'das demokratische Staatswesen'),
  '52-25': newPurpose(
    `des bürgerschaftlichen Engagements ${engagement}`,
    `das bürgerschaftliche Engagement ${engagement}`
  ),
  '52-26': newPurpose(
    `der Unterhaltung und Pflege von Friedhöfen und der ${memorials}`,
    `die Unterhaltung und Pflege von Friedhöfen und die ${memorials}`
  ),
  '52-27': newPurpose('wohngemeinnütziger Zwecke', 'wohngemeinnützige Zwecke'),
  '53': newPurpose('mildtätiger Zwecke', 'mildtätige Zwecke'),
  '54': newPurpose('kirchlicher Zwecke', 'kirchliche Zwecke')
} satisfies Record<string, PurposeForms>

export type PurposeCode = keyof typeof officialPurposes
export const purposeCodes = Object.keys(officialPurposes) as PurposeCode[]

/** The chosen purposes of the law in its order, followed by the organisation's own text. */
export function formatPurposes(codes: readonly PurposeCode[], ownWords: string): PurposeForms {
  const chosen = purposeCodes.filter(code => codes.includes(code)).map(code => officialPurposes[code])
  let own = ownWords.trim()
  while (own.endsWith('.')) own = own.slice(0, -1).trimEnd()
  const all = own === '' ? chosen : [...chosen, inflectPurposes(own, chosen.length > 0)]
  return {
    genitive: joinPurposes(all.map(({ genitive }) => genitive)),
    accusative: joinPurposes(all.map(({ accusative }) => accusative))
  }
}

/** Joins with "sowie" if a part contains "und", so that the parts stay distinguishable. */
function joinPurposes(parts: string[]): string {
  const last = parts.at(-1) ?? ''
  if (parts.length < 2) return last
  const and = parts.some(part => / und |,/.test(part)) ? 'sowie' : 'und'
  return `${parts.slice(0, -1).join(', ')} ${and} ${last}`
}

/**
 * Both forms of a typed text in either case. Text that cannot be inflected safely is quoted, so that its case does not
 * matter.
 */
export function inflectPurposes(typed: string, follows = false): PurposeForms {
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:die|der|zur) )?Förderung (?=\p{L})/u, '')
  const parts = readPhrases(text)
  if (parts !== undefined) return addArticles(parts)
  // The form has always said that this field follows "zur Förderung"; with such a beginning it does.
  if (/^(?:der|des|von|vom|einer|eines) /.test(text)) {
    return { genitive: text, accusative: `${follows ? 'den Zweck' : 'folgenden Zweck:'} „Förderung ${text}“` }
  }
  return { genitive: `der Zwecke „${text}“`, accusative: `die Zwecke „${text}“` }
}

interface Phrase {
  /** The article as typed; empty for a noun without one. */
  article: string
  articles: [genitive: string, accusative: string]
  nouns: [genitive: string, accusative: string]
  /** The text between this phrase and the one before. */
  separator: string
}

const articlesOf = { f: ['der', 'die'], m: ['des', 'den'], n: ['des', 'das'], none: ['von', ''] } as const
type Gender = 'f' | 'm' | 'n'

/** Endings of nouns that occur in purposes: gender, endings, and the suffix of the genitive. */
const endings: [gender: Gender, ends: string[], added: string][] = [
  [
    'f',
    ['ung', 'heit', 'keit', 'schaft', 'ion', 'tät', 'hilfe', 'pflege', 'kunde', 'arbeit', 'kunst', 'kultur', 'musik'],
    ''
  ],
  ['f', ['zucht', 'erei', 'fürsorge', 'vorsorge', 'gesundheit', 'jugend', 'medizin', 'literatur', 'toleranz'], ''],
  ['m', ['schutz', 'tanz'], 'es'],
  ['m', ['sport', 'flug', 'funk', 'unterricht', 'gesang', 'dialog', 'karneval'], 's'],
  ['n', ['wesen', 'brauchtum', 'engagement', 'theater', 'ehrenamt', 'schwimmen', 'wandern'], 's']
]

/** Parses a list of purposes; undefined unless every one is understood. */
function readPhrases(text: string): Phrase[] | undefined {
  const separators = /^(?:, (?:und |sowie )?| und | sowie | & )/
  // Tries each position once, even if several parses lead to it.
  const tried = new Set<number>()
  const readFrom = (rest: string, separator: string): Phrase[] | undefined => {
    if (tried.has(rest.length)) return undefined
    tried.add(rest.length)
    for (const { phrase, length } of listPhrases(rest)) {
      const after = rest.slice(length)
      const own = { ...phrase, separator }
      if (after === '') return [own]
      const next = separators.exec(after)?.[0]
      const others = next === undefined ? undefined : readFrom(after.slice(next.length), next.replace('&', 'und'))
      if (others !== undefined) return [own, ...others]
    }
    return undefined
  }
  // Longer than the longest number of the law; parsing it would only cost time.
  return text.length > 400 ? undefined : readFrom(text, '')
}

/** Phrases at the start of the text, longest first. */
function listPhrases(text: string): { phrase: Omit<Phrase, 'separator'>; length: number }[] {
  const found = officialForms
    .filter(({ form }) => text.toLowerCase().startsWith(form.toLowerCase()))
    .map(({ form, phrase }) => ({ phrase, length: form.length }))
  const noun = /^(?:(der|die|das|des|den|von) )?((?:\p{Lu}[\p{L}-]*-(?:, | und ))*)(\p{Lu}[\p{L}-]*\p{L})/u.exec(text)
  if (noun === null) return found
  const [whole, article = '', before = '', word = ''] = noun
  const inflected = inflectNoun(word)
  if (inflected === undefined) return found
  const [genitive, accusative] = inflected.forms
  const phrase = {
    article,
    articles: (article === 'von' ? [...articlesOf.none] : [...articlesOf[inflected.gender]]) as [string, string],
    nouns: [before + (article === 'von' ? accusative : genitive), before + accusative] as [string, string]
  }
  return [...found, { phrase, length: whole.length }]
}

/** A noun with a known ending, typed in its base form or in the genitive. */
function inflectNoun(word: string): { gender: Gender; forms: [string, string] } | undefined {
  for (const [gender, ends, added] of endings) {
    for (const end of ends) {
      for (const base of [word, ...(added !== '' && word.endsWith(added) ? [word.slice(0, -added.length)] : [])]) {
        if (base.toLowerCase().endsWith(end)) return { gender, forms: [base + added, base] }
      }
    }
  }
  return undefined
}

/** Parts of the law's phrases that many statutes use on their own. */
const usualParts = [
  newPurpose('des öffentlichen Gesundheitswesens', 'das öffentliche Gesundheitswesen'),
  newPurpose('der öffentlichen Gesundheitspflege', 'die öffentliche Gesundheitspflege'),
  newPurpose('der Volks- und Berufsbildung', 'die Volks- und Berufsbildung'),
  newPurpose('der Studentenhilfe', 'die Studentenhilfe'),
  newPurpose('internationaler Gesinnung', 'internationale Gesinnung'),
  newPurpose('des Völkerverständigungsgedankens', 'den Völkerverständigungsgedanken'),
  newPurpose('der Hilfe für Flüchtlinge', 'die Hilfe für Flüchtlinge'),
  newPurpose('der Hilfe für Menschen mit Behinderung', 'die Hilfe für Menschen mit Behinderung'),
  newPurpose('der Hilfe für Opfer von Straftaten', 'die Hilfe für Opfer von Straftaten'),
  newPurpose('des traditionellen Brauchtums', 'das traditionelle Brauchtum'),
  newPurpose('des bürgerschaftlichen Engagements', 'das bürgerschaftliche Engagement')
]

/** These and the official phrases in all forms, with and without an article, longest first. */
const officialForms = [...Object.values(officialPurposes), ...usualParts]
  // Single nouns are left out: they are inflected, so that they can share an article with their neighbours.
  .filter(({ accusative }) => / /.test(accusative.replace(/^(?:die|den|das) /, '')))
  .flatMap(({ genitive, accusative }) => {
    const phrase: Omit<Phrase, 'separator'> = { article: 'own', articles: ['', ''], nouns: [genitive, accusative] }
    const bare = accusative.replace(/^(?:die|den|das) /, '')
    return [...new Set([genitive, accusative, bare])].map(form => ({ form, phrase }))
  })
  .sort((one, other) => other.form.length - one.form.length)

/** A noun typed without an article after one of the same gender shares its article: der Bildung und Erziehung. */
function addArticles(phrases: Phrase[]): PurposeForms {
  let before: Phrase | undefined
  const written = phrases.map(phrase => {
    const isBare = phrase.article === ''
    // After "von", nouns have no article: "von Bildung und Sport".
    const own: Phrase =
      isBare && before?.articles[0] === 'von'
        ? { ...phrase, articles: before.articles, nouns: [phrase.nouns[1], phrase.nouns[1]] }
        : phrase
    const shares = isBare && before !== undefined && String(before.articles) === String(own.articles)
    before = own
    const [genitive, accusative] = [0, 1].map(form =>
      [shares ? '' : own.articles[form], own.nouns[form]].filter(word => word !== '').join(' ')
    )
    return { genitive: `${own.separator}${genitive}`, accusative: `${own.separator}${accusative}` }
  })
  return {
    genitive: written.map(({ genitive }) => genitive).join(''),
    accusative: written.map(({ accusative }) => accusative).join('')
  }
}
