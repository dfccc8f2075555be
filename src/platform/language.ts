import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Catalogues of the package: next to the build output, or at the root of the sources. */
const packageFolder = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../messages/' : '../../messages/', import.meta.url)
)

/** Catalogues of the site: in the working folder of the program, where `.env` is, too. */
const siteFolder = resolve('messages')

/** Folders with a folder of catalogues for each language. The texts of the later one replace those of the first. */
export const messageFolders: readonly string[] = [...new Set([resolve(packageFolder), siteFolder])]

/** The properties of a language. A folder without it is no language. */
export const languageFile = 'language.json'

/** The language of the source: every message exists in it. */
const sourceLanguage = 'en'

/**
 * A code such as `de`. The type has the languages of the package. A site can add others by adding catalogues
 * (docs/translations.md), so code that depends on a language asks for its properties and never lists languages.
 */
export type Language = 'en' | 'de'

/** All languages that have catalogues, English first. */
export const languages: readonly Language[] = listLanguages()

function listLanguages(): Language[] {
  const codes = messageFolders
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(name => ({ name, file: join(folder, name, languageFile) })))
    .filter(({ name, file }) => /^[a-z]{2,3}$/.test(name) && existsSync(file))
    .map(({ name }) => name)
  return [...new Set([sourceLanguage, ...codes.toSorted()])] as Language[]
}

/** Receipts, mandates and annual letters have a legal wording in these languages only. */
export const legalLanguages: readonly Language[] = ['en', 'de']

export function toLegalLanguage(language: Language): Language {
  return getFallbacks(language).find(one => legalLanguages.includes(one)) ?? sourceLanguage
}

/** One text in every language: a missing one does not compile. */
export type Text = Record<Language, string>

/** The entry of a language in a table of the program; a language that was added later has that of its fallback. */
export function pickByLanguage<Value>(table: Readonly<Record<Language, Value>>, language: Language): Value {
  const known = getFallbacks(language).find(one => Object.hasOwn(table, one)) ?? sourceLanguage
  return table[known]
}

/** `language.json` of the catalogues of a language. */
interface LanguageFile {
  /** The locale for dates and numbers, such as `fr-FR`; else the language itself. */
  locale?: string
  /** The language whose messages replace missing ones; else English. */
  fallback?: Language
}

interface LanguageProperties {
  locale: string
  /** The languages whose messages are used, best first. */
  fallbacks: Language[]
}

/** Separators of decimals and of thousands. */
interface NumberMarks {
  decimalMark: string
  thousandsMark: string
}

const properties = new Map<Language, LanguageProperties>()
const numberMarks = new Map<Language, NumberMarks>()

export function getLocale(language: Language): string {
  return getProperties(language).locale
}

/** The language itself, the one that replaces its missing messages, and English. */
export function getFallbacks(language: Language): readonly Language[] {
  return getProperties(language).fallbacks
}

/** How the language separates decimals (`,` in German) and thousands (`.`). */
export function getNumberMarks(language: Language): NumberMarks {
  let found = numberMarks.get(language)
  if (found === undefined) {
    found = findNumberMarks(getLocale(language))
    numberMarks.set(language, found)
  }
  return found
}

/** Not a property that is read at the start, because the first use of Intl takes 30 ms. */
function findNumberMarks(locale: string): NumberMarks {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).formatToParts(12_345.67)
  const getMark = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  return { decimalMark: getMark('decimal'), thousandsMark: getMark('group') }
}

const names = new Map<string, string>()

/** Name of a language in another one, as the beginning of a line: `Französisch`. */
export function formatLanguageName(named: Language, language: Language): string {
  const key = `${named} ${language}`
  let name = names.get(key)
  if (name === undefined) {
    const text = new Intl.DisplayNames(getLocale(language), { type: 'language' }).of(named) ?? named
    name = text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1)
    names.set(key, name)
  }
  return name
}

/** Arguments of messages about texts in a language: its code, to choose a form, and its name. */
export function getLanguageValues(language: Language, shownIn: Language): { language: string; languageName: string } {
  return { language, languageName: formatLanguageName(language, shownIn) }
}

/** The language whose text is shown beside one in this language: the first other one. */
export function getOtherLanguage(language: Language): Language {
  return languages.find(other => other !== language) ?? sourceLanguage
}

export function listOtherLanguages(language: Language, among: readonly Language[] = languages): Language[] {
  return among.filter(other => other !== language)
}

function getProperties(language: Language): LanguageProperties {
  let found = properties.get(language)
  if (found === undefined) {
    found = readProperties(language)
    properties.set(language, found)
  }
  return found
}

function readProperties(language: Language): LanguageProperties {
  const { locale = language, fallback = sourceLanguage } = readLanguageFile(language)
  return { locale, fallbacks: [...new Set([language, fallback, sourceLanguage] as Language[])] }
}

function readLanguageFile(language: Language): LanguageFile {
  const files = messageFolders.map(folder => join(folder, language, languageFile)).filter(file => existsSync(file))
  return Object.assign({}, ...files.map(file => JSON.parse(readFileSync(file, 'utf8')) as LanguageFile))
}

export function isLanguage(text: unknown): text is Language {
  return languages.some(language => language === text)
}

/** The language an `Accept-Language` header asks for: the best of ours, else the fallback. */
export function negotiateLanguage(header: string | undefined, fallback: Language): Language {
  if (header === undefined || header === '') return fallback
  let best: Language | undefined
  let bestWeight = 0
  for (const range of header.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map(part => part.trim())
    const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    const language = tag === '*' ? fallback : languages.find(known => tag === known || tag.startsWith(`${known}-`))
    if (language !== undefined && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best ?? fallback
}
