import { type Language, languages, type Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { newParam, type Param, ParamError } from './param-definition.ts'

const newTypeError = (message: Text) => new ParamError('rest_invalid_type', message)
const isText = (given: unknown) => typeof given === 'string' || (typeof given === 'number' && Number.isFinite(given))
export const isEmpty = (given: unknown) =>
  given === null || given === '' || (Array.isArray(given) && given.length === 0) || given === false

/** Text that may be empty; null clears it. */
export function newTextParam(description: string, lengthMax: number): Param<string> {
  return newParam({ type: ['string', 'null'], maxLength: lengthMax }, description, given => {
    if (given === null) return ''
    if (!isText(given)) return newTypeError(buildText('calendar-rules', 'text'))
    return limitLength(String(given), lengthMax)
  })
}

/** Whitespace, and characters that are invisible on their own. */
const onlyInvisible = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u

/** Non-empty text. As in the contract, `0` counts as empty. */
export function newNonEmptyTextParam(description: string, lengthMax: number): Param<string> {
  return newParam({ type: 'string', minLength: 1, maxLength: lengthMax }, description, given => {
    if (!isText(given)) return newTypeError(buildText('calendar-rules', 'text'))
    const value = String(given)
    if (onlyInvisible.test(value) || value === '0') return new ParamError('empty', buildText('calendar-rules', 'empty'))
    return limitLength(value, lengthMax)
  })
}

function limitLength(value: string, lengthMax: number): string | ParamError {
  if (value.length <= lengthMax) return value
  return new ParamError('too-long', buildText('calendar-rules', 'tooLong', { lengthMax }))
}

/** The contract's boolean words; null or an empty value selects the default, represented as null. */
export function newBoolParam(description: string): Param<boolean | null> {
  return newParam({ type: ['boolean', 'null'] }, description, given => {
    if (given === null || given === '') return null
    return parseBool(given) ?? newBoolError()
  })
}

/** Like `newBoolParam`, but a value is required. */
export function newBoolFilterParam(description: string, words: 'few' | 'many' = 'few'): Param<boolean> {
  return newParam({ type: 'boolean' }, description, given => {
    const many =
      words === 'many' && typeof given === 'string' ? extraBoolWords.get(given.trim().toLowerCase()) : undefined
    return many ?? parseBool(given) ?? newBoolError()
  })
}

/** A list of words means true; every other value means false. */
export function newLooseBoolParam(description: string): Param<boolean | null> {
  return newParam({ type: ['boolean', 'string', 'null'] }, description, given => {
    if (given === null) return null
    if (typeof given === 'object') return newBoolError()
    return ['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled'].includes(String(given).trim().toLowerCase())
  })
}

const boolWords = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false]
])
const extraBoolWords = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false]
])

function parseBool(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  if (given === 1 || given === 0) return given === 1
  return typeof given === 'string' ? boolWords.get(given.toLowerCase()) : undefined
}

const newBoolError = () => newTypeError(buildText('calendar-rules', 'trueOrFalse'))

/** An integer above zero that fits our id columns. */
export function parsePositiveInt(given: unknown): number | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined
  if (typeof given === 'string' && !/^\s*\+?\d+(?:\.0*)?(?:e\d)?\s*$/i.test(given.slice(0, 40))) return undefined
  const number = Number(given)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function newPositiveIntParam(description: string): Param<number> {
  return newParam(
    { type: 'integer', minimum: 1 },
    description,
    given => parsePositiveInt(given) ?? newPositiveIntError()
  )
}

const newPositiveIntError = () => new ParamError('positive', buildText('calendar-rules', 'aboveZero'))

/** An id, or none: 0, null or an empty string. */
export function newOptionalIdParam(description: string): Param<number | null> {
  return newParam({ type: ['integer', 'null'], minimum: 0 }, description, given =>
    isEmpty(given) || given === 0 || given === '0' ? null : (parsePositiveInt(given) ?? newPositiveIntError())
  )
}

/** Ids as a list or separated by commas. */
export function newIdListParam(description: string): Param<number[]> {
  return newParam(buildListSchema({ type: 'integer', minimum: 1 }), description, given => {
    const list = toList(given).map(parsePositiveInt)
    if (list.length === 0 || list.includes(undefined)) {
      return new ParamError('ids', buildText('calendar-rules', 'ids'))
    }
    return list.length > idsMax ? newTooManyError(idsMax) : ([...new Set(list)] as number[])
  })
}

const idsMax = 500
export const newTooManyError = (most: number) =>
  new ParamError('too-many', buildText('calendar-rules', 'tooManyItems', { most }))
const buildListSchema = (items: object) => ({ type: 'array', items })

/** An array, or a comma-separated string as an array; empty entries are dropped. */
export function toList(given: unknown): unknown[] {
  const list = Array.isArray(given) ? given : [given]
  return list
    .flatMap(one => (typeof one === 'string' ? one.split(',').map(part => part.trim()) : [one]))
    .filter(one => one !== '' && one !== null)
}

/** A term by its id, its slug or its name. */
export type TermKey = number | string

export function newTermListParam(description: string): Param<TermKey[]> {
  return newParam(buildListSchema({ type: ['integer', 'string'] }), description, given => {
    if (isEmpty(given)) return []
    const list = toList(given).map(one =>
      isObject(one) ? (parsePositiveInt(one.id) ?? one.name) : (parsePositiveInt(one) ?? one)
    )
    if (list.length > termsMax) return newTooManyError(termsMax)
    if (list.some(one => parsePositiveInt(one) === undefined && (typeof one !== 'string' || one.length > 200))) {
      return new ParamError('terms', buildText('calendar-rules', 'terms'))
    }
    return [...new Set(list)] as TermKey[]
  })
}

const termsMax = 100

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A stored image, or the URL of one. */
export type ImageKey = { id: number } | { url: string } | null

export function newImageParam(description: string): Param<ImageKey> {
  return newParam({ type: ['string', 'integer', 'null'] }, description, given => {
    if (isEmpty(given) || given === 0 || given === '0') return null
    const id = parsePositiveInt(isObject(given) ? given.id : given)
    if (id !== undefined) return { id }
    const fits = typeof given === 'string' && given.length <= urlLengthMax && /^https?:\/\//i.test(given)
    if (!fits || !canParseUrl(given)) {
      return new ParamError('image', buildText('calendar-rules', 'image'))
    }
    return { url: given }
  })
}

const urlLengthMax = 2000
/** URL schemes that a page must never open. */
const dangerousSchemes = /^(?:javascript|data|vbscript|file|blob|about):/i
/** Characters that browsers accept in a URL, and RFC 3986 does not. */
const unencoded = /["<>\\^`{|}]/g

export function newUrlParam(description: string): Param<string> {
  return newParam({ type: ['string', 'null'], format: 'uri', maxLength: urlLengthMax }, description, given => {
    if (given === null || given === '') return ''
    const fault = new ParamError('url', buildText('calendar-rules', 'fullUrl'))
    if (typeof given !== 'string' || given.length > urlLengthMax) return fault
    const fits = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(given) && !dangerousSchemes.test(given) && canParseUrl(given)
    const encoded = given.replace(unencoded, encodeURIComponent)
    return fits && !/^https?:(?!\/\/[^/])/i.test(given) && encoded.length <= urlLengthMax ? encoded : fault
  })
}

export const postStatuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
export type PostStatus = (typeof postStatuses)[number]

export function newStatusParam(description: string): Param<PostStatus> {
  return newParam({ type: 'string', enum: [...postStatuses] }, description, matchOneOf(postStatuses))
}

/** Several statuses, as an array or comma-separated. */
export function newStatusFilterParam(description: string): Param<PostStatus[]> {
  return newParam(buildListSchema({ type: 'string', enum: [...postStatuses] }), description, given => {
    const list = toList(given)
    const wrong = list.map(matchOneOf(postStatuses)).find(one => one instanceof ParamError)
    return list.length === 0
      ? new ParamError('empty', buildText('calendar-rules', 'empty'))
      : (wrong ?? (list as PostStatus[]))
  })
}

export function newEnumParam<Word extends string>(description: string, words: readonly Word[]): Param<Word> {
  return newParam({ type: 'string', enum: [...words] }, description, matchOneOf(words))
}

function matchOneOf<Word extends string>(words: readonly Word[]): (given: unknown) => Word | ParamError {
  return given =>
    words.find(known => known === given) ??
    new ParamError('not-allowed', buildText('calendar-rules', 'oneOf', { words: words.join(', ') }))
}

export const languageParam: Param<Language> = {
  ...newEnumParam('Language of the content.', languages),
  schema: { type: 'string', enum: [...languages] }
}

export const missingLanguageParam = newEnumParam('Only items without a text in this language.', languages)
export const textOnlyParam = newBoolParam('Delete only the text in `language`; the last one cannot be deleted.')

/** A number within bounds; an empty value is null. */
export function newNumberParam(description: string, least: number, most: number): Param<number | null> {
  const { parse, ...rest } = newNumberFilterParam(description, least, most)
  const schema = { ...rest.schema, type: ['number', 'null'] }
  return { ...rest, schema, parse: (given, about) => (given === null || given === '' ? null : parse(given, about)) }
}

/** A number within bounds. */
export function newNumberFilterParam(description: string, least: number, most: number): Param<number> {
  return newParam({ type: 'number', minimum: least, maximum: most }, description, given => {
    const fits =
      typeof given === 'number' || (typeof given === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(given))
    const value = fits ? Number(given) : Number.NaN
    if (value >= least && value <= most) return value
    return new ParamError('out-of-range', buildText('calendar-rules', 'numberRange', { least, most }))
  })
}
