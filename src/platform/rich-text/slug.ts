import { type Language, pickByLanguage } from '../language.ts'
import { toSingleLineText } from './html.ts'

/** The length limit of a WordPress slug, which its clients rely on. */
const bytesMax = 200

/** A title as a WordPress slug: letters without accents, dashes, other scripts percent-encoded. */
export function toSlug(text: string, language: Language): string {
  const letters = removeAccents(toSingleLineText(decodeOctets(text)), language)
  return truncateBytes(percentEncode(letters.replaceAll('%', '').toLowerCase()), bytesMax)
    .replace(dashPattern, '-')
    .replace(/%c3%97/g, 'x')
    .replace(removedPattern, '')
    .replace(/[^%a-z0-9_-]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The slug of the second, third … item with the same name, or of an event on a date. */
export function withSuffix(slug: string, end: number | string): string {
  const suffix = `-${end}`
  return truncateBytes(slug, bytesMax - suffix.length).replace(/(?<!-)-+$/, '') + suffix
}

/** Decodes a slug that a client sends back; leaves octets that do not form a non-ASCII character. */
function decodeOctets(text: string): string {
  return text.replace(/(?:%[89a-f][0-9a-f])+/gi, octets => {
    try {
      return decodeURIComponent(octets)
    } catch {
      return octets
    }
  })
}

/** Letters whose accents WordPress removes: Western and Central Europe, Vietnamese, Pinyin. */
const accentedPattern =
  /[\u00aa\u00ba\u00c0-\u017f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u0251\u2c6d\u1e9e-\u1ef9€£]/g

function removeAccents(text: string, language: Language): string {
  const own = pickByLanguage(languageTransliterations, language)
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(accentedPattern, letter => {
      const small = letter.toLowerCase()
      return own[small] ?? transliterations[small] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
    })
}

const languageTransliterations: Record<Language, Record<string, string>> = {
  en: { ß: 's' },
  de: { ß: 'ss', ä: 'ae', ö: 'oe', ü: 'ue' }
}

/** Letters that do not decompose into a plain letter and an accent. */
const transliterations: Record<string, string> = {
  ª: 'a',
  º: 'o',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĳ: 'ij',
  ĸ: 'k',
  ŀ: 'l',
  ł: 'l',
  ŉ: 'n',
  ŋ: 'n',
  œ: 'oe',
  ŧ: 't',
  ſ: 's',
  ɑ: 'a',
  '€': 'e',
  '£': ''
}

/** Percent-encodes everything beyond ASCII. Encodes no more than fits into a slug. */
function percentEncode(text: string): string {
  return text
    .slice(0, bytesMax + 1)
    .replace(/[^\p{ASCII}]/gu, letter => encodeURIComponent(letter.toWellFormed()).toLowerCase())
}

/** The first bytes of a percent-encoded text, without cutting a character in half. */
function truncateBytes(text: string, bytes: number): string {
  if (text.length <= bytes) return text
  let end = 0
  for (const [letter] of text.matchAll(/%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|./gs)) {
    if (end + letter.length > bytes) break
    end += letter.length
  }
  return text.slice(0, end)
}

/** Whitespace, dots, slashes, no-break and typographic spaces, en and em dashes. */
const dashPattern = /[\s./]|%c2%a0|%e2%80%(?:8[0-9a]|9[34]|a[89f])|%e2%81%9f|%e3%80%80/g

/** Soft hyphens, typographic quotes, standalone signs and accents, zero-width characters. */
const removedPattern = new RegExp(
  [
    '%c2%(?:ad|a1|bf|ab|bb|a9|ae|b0|b4)',
    '%cb%8a|%cc%(?:80|81|84|8c)|%cd%81',
    '%e2%80%(?:8[bcdef]|9[89abcdef]|a[26abcde]|b[9a])|%e2%81%a[0-9a-f]|%e2%84%a2',
    '%ef%bb%bf|%ef%bf%b[9abcd]'
  ].join('|'),
  'g'
)
