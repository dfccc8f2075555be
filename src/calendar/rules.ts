import { type Language, languages, type Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { readMoment } from './date-words.ts'
import {
  type Declared,
  Fault,
  type Parameter,
  parameter,
  type Reading,
  readParameters,
  type Values
} from './parameters.ts'
import { readZone } from './zones.ts'

const wrongType = (what: Text) => new Fault('rest_invalid_type', `must be ${what.en}`, `muss ${what.de} sein`)
const isText = (given: unknown) => typeof given === 'string' || (typeof given === 'number' && Number.isFinite(given))
export const isEmpty = (given: unknown) =>
  given === null || given === '' || (Array.isArray(given) && given.length === 0) || given === false

/** Text that may be empty; nothing empties it. */
export function text(description: string, lengthMax: number): Parameter<string> {
  return parameter({ type: ['string', 'null'], maxLength: lengthMax }, description, given => {
    if (given === null) return ''
    if (!isText(given)) return wrongType({ en: 'text', de: 'Text' })
    return fitting(String(given), lengthMax)
  })
}

/** Blanks, and characters that are nothing by themselves. */
const onlyInvisible = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u

/** Text with something in it. As in the contract, `0` counts as nothing. */
export function filledText(description: string, lengthMax: number): Parameter<string> {
  return parameter({ type: 'string', minLength: 1, maxLength: lengthMax }, description, given => {
    if (!isText(given)) return wrongType({ en: 'text', de: 'Text' })
    const value = String(given)
    if (onlyInvisible.test(value) || value === '0')
      return new Fault('empty', 'must not be empty', 'darf nicht leer sein')
    return fitting(value, lengthMax)
  })
}

function fitting(value: string, lengthMax: number): string | Fault {
  if (value.length <= lengthMax) return value
  return new Fault('too-long', `must have at most ${lengthMax} characters`, `darf höchstens ${lengthMax} Zeichen haben`)
}

/** The contract's words of truth; nothing means the default, which is null here. */
export function truth(description: string): Parameter<boolean | null> {
  return parameter({ type: ['boolean', 'null'] }, description, given => {
    if (given === null || given === '') return null
    return readTruth(given) ?? notTruth()
  })
}

/** Like `truth`, but it must say something. */
export function truthFilter(description: string, words: 'few' | 'many' = 'few'): Parameter<boolean> {
  return parameter({ type: 'boolean' }, description, given => {
    const many = words === 'many' && typeof given === 'string' ? manyWords.get(given.trim().toLowerCase()) : undefined
    return many ?? readTruth(given) ?? notTruth()
  })
}

/** Words that make something true; every other value makes it false. */
export function truthyWords(description: string): Parameter<boolean | null> {
  return parameter({ type: ['boolean', 'string', 'null'] }, description, given => {
    if (given === null) return null
    if (typeof given === 'object') return notTruth()
    return ['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled'].includes(String(given).trim().toLowerCase())
  })
}

const fewWords = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false]
])
const manyWords = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false]
])

function readTruth(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  if (given === 1 || given === 0) return given === 1
  return typeof given === 'string' ? fewWords.get(given.toLowerCase()) : undefined
}

const notTruth = () => wrongType({ en: 'true or false', de: 'true oder false' })

/** A whole number above zero that numbers of ours fit into. */
export function readPositive(given: unknown): number | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined
  if (typeof given === 'string' && !/^\s*\+?\d+(?:\.0*)?(?:e\d)?\s*$/i.test(given.slice(0, 40))) return undefined
  const number = Number(given)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function positive(description: string): Parameter<number> {
  return parameter({ type: 'integer', minimum: 1 }, description, given => readPositive(given) ?? notPositive())
}

const notPositive = () => new Fault('positive', 'must be a whole number above 0', 'muss eine ganze Zahl über 0 sein')

/** An id, or nothing: 0, null or an empty text. */
export function idOrNone(description: string): Parameter<number | null> {
  return parameter({ type: ['integer', 'null'], minimum: 0 }, description, given =>
    isEmpty(given) || given === 0 || given === '0' ? null : (readPositive(given) ?? notPositive())
  )
}

/** Ids as a list or separated by commas. */
export function ids(description: string): Parameter<number[]> {
  return parameter(listSchema({ type: 'integer', minimum: 1 }), description, given => {
    const list = listOf(given).map(readPositive)
    if (list.length === 0 || list.includes(undefined)) {
      return new Fault(
        'ids',
        'must be one or more ids, separated by commas',
        'muss aus Nummern bestehen, durch Kommas getrennt'
      )
    }
    return list.length > idsMax ? tooMany(idsMax) : ([...new Set(list)] as number[])
  })
}

const idsMax = 500
const tooMany = (most: number) => new Fault('too-many', `takes at most ${most}`, `nimmt höchstens ${most}`)
const listSchema = (items: object) => ({ type: 'array', items })

/** A list, or what is separated by commas in a text, without what is empty. */
export function listOf(given: unknown): unknown[] {
  const list = Array.isArray(given) ? given : [given]
  return list
    .flatMap(one => (typeof one === 'string' ? one.split(',').map(part => part.trim()) : [one]))
    .filter(one => one !== '' && one !== null)
}

/** A term by its id, its slug or its name. */
export type TermKey = number | string

export function terms(description: string): Parameter<TermKey[]> {
  return parameter(listSchema({ type: ['integer', 'string'] }), description, given => {
    if (isEmpty(given)) return []
    const list = listOf(given).map(one =>
      isObject(one) ? (readPositive(one.id) ?? one.name) : (readPositive(one) ?? one)
    )
    if (list.length > termsMax) return tooMany(termsMax)
    if (list.some(one => readPositive(one) === undefined && (typeof one !== 'string' || one.length > 200))) {
      return new Fault('terms', 'must be ids, slugs or names', 'muss aus Nummern, Kürzeln oder Namen bestehen')
    }
    return [...new Set(list)] as TermKey[]
  })
}

const termsMax = 100

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Something that exists already, or the fields of something new. */
export type Link<Fields> = { id: number } | { fields: Fields }

const linksMax = 50

/** An id, an object with an id, an object with fields, or several of these. */
export function links<Declarations extends Declared>(
  description: string,
  fields: Declarations
): Parameter<Link<Values<Declarations>>[]> {
  const schema = {
    type: ['integer', 'string', 'object', 'array', 'null'],
    items: { type: ['integer', 'string', 'object'] }
  }
  return parameter(schema, description, (given, about) => {
    if (isEmpty(given) || given === 0 || given === '0') return []
    const list = listOf(given)
    if (list.length > linksMax) return tooMany(linksMax)
    const read = list.map(one => readLink(one, fields, about))
    return read.find(one => one instanceof Fault) ?? (read as Link<Values<Declarations>>[])
  })
}

function readLink<Declarations extends Declared>(
  given: unknown,
  fields: Declarations,
  about: Reading
): Link<Values<Declarations>> | Fault {
  const id = readPositive(isObject(given) ? given.id : given)
  if (id !== undefined) return { id }
  if (!isObject(given) || given.id !== undefined) {
    return new Fault(
      'link',
      'must be an id, or an object with an id or with fields',
      'muss eine Nummer sein, oder ein Objekt mit Nummer oder Feldern'
    )
  }
  try {
    return { fields: readParameters(fields, given, about) }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return new Fault('link', `is not valid: ${problem.text.en}`, `ist nicht gültig: ${problem.text.de}`)
  }
}

/** A stored image, or the address of one. */
export type ImageKey = { id: number } | { url: string } | null

export function image(description: string): Parameter<ImageKey> {
  return parameter({ type: ['string', 'integer', 'null'] }, description, given => {
    if (isEmpty(given) || given === 0 || given === '0') return null
    const id = readPositive(isObject(given) ? given.id : given)
    if (id !== undefined) return { id }
    const fits = typeof given === 'string' && given.length <= urlLengthMax && /^https?:\/\//i.test(given)
    if (!fits || !URL.canParse(given)) {
      return new Fault(
        'image',
        'must be the id or the http address of an image',
        'muss Nummer oder http-Adresse eines Bildes sein'
      )
    }
    return { url: given }
  })
}

const urlLengthMax = 2000
/** What a page must never be made to open. */
const dangerousSchemes = /^(?:javascript|data|vbscript|file|blob|about):/i

export function address(description: string): Parameter<string> {
  return parameter({ type: ['string', 'null'], format: 'uri', maxLength: urlLengthMax }, description, given => {
    if (given === null || given === '') return ''
    const fault = new Fault(
      'url',
      'must be a whole address such as https://example.org',
      'muss eine ganze Adresse sein, etwa https://example.org'
    )
    if (typeof given !== 'string' || given.length > urlLengthMax) return fault
    const fits = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(given) && !dangerousSchemes.test(given) && URL.canParse(given)
    return fits && !/^https?:(?!\/\/[^/])/i.test(given) ? given : fault
  })
}

/** A date or time in any of the words the contract knows. Read again where the zone is known. */
export type MomentText = string | number

export function moment(description: string): Parameter<MomentText> {
  return parameter({ type: ['string', 'integer'] }, description, (given, { zone, now }) =>
    readMoment(given, zone, now) === undefined ? notMoment() : (given as MomentText)
  )
}

/** The same, or nothing: null or an empty text. */
export function momentOrNone(description: string): Parameter<MomentText | null> {
  const { read, ...rest } = moment(description)
  const schema = { type: ['string', 'integer', 'null'] }
  return { ...rest, schema, read: (given, about) => (given === null || given === '' ? null : read(given, about)) }
}

const notMoment = () =>
  new Fault(
    'date',
    'must be a date or time, such as 2027-02-01 10:00:00 or tomorrow 9am',
    'muss ein Datum oder eine Zeit sein, etwa 2027-02-01 10:00:00 oder tomorrow 9am'
  )

/** Nothing means the site's own. */
export function timezone(description: string): Parameter<string | null> {
  return parameter({ type: ['string', 'null'] }, description, given => {
    if (given === null || given === '') return null
    const zone = typeof given === 'string' ? readZone(given) : undefined
    return (
      zone ??
      new Fault(
        'timezone',
        'must be a time zone such as Europe/Berlin or UTC+3',
        'muss eine Zeitzone sein, etwa Europe/Berlin oder UTC+3'
      )
    )
  })
}

export const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
export type Status = (typeof statuses)[number]

export function status(description: string): Parameter<Status> {
  return parameter({ type: 'string', enum: [...statuses] }, description, oneOf(statuses))
}

/** Several, as a list or separated by commas. */
export function statusFilter(description: string): Parameter<Status[]> {
  return parameter(listSchema({ type: 'string', enum: [...statuses] }), description, given => {
    const list = listOf(given)
    const wrong = list.map(oneOf(statuses)).find(one => one instanceof Fault)
    return list.length === 0
      ? new Fault('empty', 'must not be empty', 'darf nicht leer sein')
      : (wrong ?? (list as Status[]))
  })
}

export function word<Word extends string>(description: string, words: readonly Word[]): Parameter<Word> {
  return parameter({ type: 'string', enum: [...words] }, description, oneOf(words))
}

function oneOf<Word extends string>(words: readonly Word[]): (given: unknown) => Word | Fault {
  return given =>
    words.find(known => known === given) ??
    new Fault('not-allowed', `must be one of ${words.join(', ')}`, `muss eines von ${words.join(', ')} sein`)
}

export const language: Parameter<Language> = {
  ...word('The language of the content.', languages),
  schema: { type: 'string', enum: [...languages] }
}

export const missingLanguage = word('Only those that have no text in this language.', languages)
export const textOnly = truth('Remove only the text in `language`; the last one stays.')

/** A number within bounds; nothing is null. */
export function number(description: string, least: number, most: number): Parameter<number | null> {
  return parameter({ type: ['number', 'null'], minimum: least, maximum: most }, description, given => {
    if (given === null || given === '') return null
    const fits =
      typeof given === 'number' || (typeof given === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(given))
    const value = fits ? Number(given) : Number.NaN
    if (value >= least && value <= most) return value
    return new Fault(
      'out-of-range',
      `must be a number from ${least} to ${most}`,
      `muss eine Zahl von ${least} bis ${most} sein`
    )
  })
}
