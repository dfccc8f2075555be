// Malformed values for fields of the calendar, and the required outcome by the rule of the field.
import type { Rule } from './calendar-fields.ts'
import { forAll, many, texts } from './malformed-values.ts'
import type { Schema } from './route-crawler.ts'

/** `either`: refused or accepted, depending on stored data, or not specified. */
export type Outcome = 'refused' | 'taken' | 'either'

export interface MalformedRow {
  what: string
  /** The value as JSON text. */
  json: string
  outcome: Outcome
  /** The error code, if it does not depend on the rule. */
  code?: string
}

export const others: [what: string, json: string][] = [
  ['null', 'null'],
  ['one', '1'],
  ['zero', '0'],
  ['minus zero', '-0'],
  ['a negative number', '-1'],
  ['a fraction', '1.5'],
  ['a number beyond all numbers', '1e400'],
  ['less than all numbers', '-1e400'],
  ['more than a bigint', '9999999999999999999'],
  ['the largest number', '1.7976931348623157e308'],
  ['the smallest number', '5e-324'],
  ['true', 'true'],
  ['false', 'false'],
  ['an empty list', '[]'],
  ['a list of texts', '["a"]'],
  ['a list in a list', '[[]]'],
  ['a list of nothing', '[null]'],
  ['a list of a thousand', JSON.stringify(Array.from({ length: 1000 }, (_, n) => n + 1_000_000))],
  ['an object', '{"a": 1}'],
  ['an object with the id of nothing', '{"id": 0}'],
  ['an object with a list as id', '{"id": [1]}'],
  ['members of every object', '{"toString": 1, "constructor": {"prototype": {"polluted": true}}}'],
  ['one as text', '"1"'],
  ['zero as text', '"0"'],
  ['a negative number as text', '"-1"'],
  ['beyond all numbers as text', '"1e400"'],
  ['more than a bigint as text', '"99999999999999999999"'],
  ['NaN as text', '"NaN"'],
  ['Infinity as text', '"Infinity"'],
  ['hexadecimal text', '"0x10"'],
  ['Arabic digits', '"٢٠"'],
  ['commas', '",,,"'],
  ['true as text', '"TRUE"'],
  ['on', '"on"'],
  ['a day that does not exist', '"2027-02-30"'],
  ['an hour that does not exist', '"2027-01-01 25:00:00"'],
  ['the year 1', '"0001-01-01 00:00:00"'],
  ['the infinity of the database', '"-infinity"'],
  ['a day in the past', '"1999-12-31 23:59:59"'],
  ['a script as address', '"javascript:alert(1)"'],
  ['data as address', '"data:text/html,<script>alert(1)</script>"'],
  ['an address of this machine', '"http://127.0.0.1:1/a.png"'],
  ['an address of the cloud', '"http://169.254.169.254/latest/meta-data"'],
  ['this machine as IPv6', '"http://[::ffff:7f00:1]/"'],
  ['an address in two lines', '"https://example.org/\\r\\nSet-Cookie: a=b"'],
  ['a script behind a broken tag', '"<scr<script>ipt>alert(1)</scr</script>ipt><svg/onload=alert(1)>"'],
  ['a tag in entities', '"&lt;object data=1&gt;alert(1)&lt;/object&gt;"']
]

const lengths: [what: string, text: string][] = [
  ['a megabyte of text', 'x'.repeat(many)],
  ['a megabyte of digits', '9'.repeat(many)],
  ['a megabyte of commas', ','.repeat(many)],
  // Few enough that a pattern of quadratic time takes seconds and not hours.
  ['eighty thousand blanks inside', `a${' '.repeat(80_000)}a`],
  ['eighty thousand tags', '<b>'.repeat(80_000)],
  ['eighty thousand ampersands', '&'.repeat(80_000)]
]

let turn = 0

/** They are slow, and the same code parses many fields: each field gets two of them, in turn. */
function pickLengths(): typeof lengths {
  turn += 1
  return lengths.filter((_, index) => index % 3 === turn % 3)
}

/** Every malformed value for a field of a body. */
export function listMalformedRows(rule: Rule, schema: Schema): MalformedRow[] {
  const row = (what: string, json: string): MalformedRow => ({
    what,
    json,
    outcome: getOutcome(rule, schema, JSON.parse(json))
  })
  return [
    ...forAll.map(([what, json, code]): MalformedRow => ({ what, json, outcome: 'refused', code })),
    ...texts.map(([what, json]) => row(what, json)),
    ...others.map(([what, json]) => row(what, json)),
    ...[...pickLengths(), ...buildAroundMaxLength(schema)].map(([what, text]) => row(what, JSON.stringify(text)))
  ]
}

/** The same values for a form or a query, where everything is text. */
export function listMalformedTexts(rule: Rule, schema: Schema): { what: string; text: string; outcome: Outcome }[] {
  const inJson = [...texts.map(([what, json]) => [what, json] as const), ...others]
    .filter(([, json]) => json.startsWith('"'))
    .map(([what, json]) => [what, JSON.parse(json) as string] as const)
  return [...inJson, ...buildAroundMaxLength(schema)].map(([what, text]) => {
    return { what, text, outcome: getOutcome(rule, schema, text) }
  })
}

function buildAroundMaxLength({ maxLength }: Schema): [what: string, text: string][] {
  if (maxLength === undefined) return []
  return [
    [`${maxLength} characters`, 'x'.repeat(maxLength)],
    ['one character too many', 'x'.repeat(maxLength + 1)]
  ]
}

const isScalar = (value: unknown) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
const isEmpty = (value: unknown) => value === null || value === ''
/** Values that clear a reference. */
const isNone = (value: unknown) =>
  isEmpty(value) || value === false || value === 0 || value === '0' || (Array.isArray(value) && value.length === 0)
const isPositiveInteger = (value: unknown) => /^\s*\+?\d{1,15}(\.0*)?\s*$/.test(String(value)) && Number(value) > 0
const toList = (value: unknown) =>
  typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
const isBooleanText = (value: unknown) => ['true', 'false', '0', '1'].includes(String(value).toLowerCase())
const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** More tags, attributes, entities and line breaks than all texts of a request may have. */
const hasTooMuchMarkup = (text: string) => (text.match(/[<&=\n\r]/g)?.length ?? 0) + text.length / 100 > 4000

/** The outcome by the rules of the contract, written independently of the program. */
function getOutcome(rule: Rule, schema: Schema, value: unknown): Outcome {
  const { maxLength = Number.POSITIVE_INFINITY, minimum = 0, maximum = 0 } = schema
  const when = (isTaken: boolean, otherwise: Outcome = 'refused'): Outcome => (isTaken ? 'taken' : otherwise)
  const fits = isScalar(value) && String(value).length <= maxLength
  const text = isObject(value) ? '' : String(value)
  switch (rule) {
    case 'password':
      // For an event this counts as no password, as in PHP.
      return text === '0' ? 'either' : when(value === null || fits)
    case 'html':
      return when(value === null || (fits && !hasTooMuchMarkup(text)))
    case 'text':
    case 'slug':
      return when(value === null || fits)
    case 'filled':
      // Some fields count the length after spaces and tags are removed.
      if (isScalar(value) && !fits && text.replace(/\s+|<[^>]*>|&/g, ' ').length <= maxLength) return 'either'
      if (!fits || text.trim() === '' || text === '0') return 'refused'
      // It may be empty after tags, entities and invisible characters are removed.
      return when(/^[\w ,.:/-]+$/.test(text), 'either')
    case 'uri':
      return isEmpty(value)
        ? 'taken'
        : /^(https?:\/\/[\w.]|http:\/\/\[)/.test(text) && !/\s/.test(text)
          ? 'either'
          : 'refused'
    case 'web-address':
      // The source determines whether it is required.
      return isEmpty(value) || /^\s*(https?|webcal):\/\/[^\s/]/i.test(text) ? 'either' : 'refused'
    case 'mapping':
      return isEmpty(value)
        ? 'taken'
        : (isObject(value) && !Array.isArray(value)) || /^\s*\{/.test(text)
          ? 'either'
          : 'refused'
    case 'recurrence':
      // Valid as no recurrence, but refused by a preview.
      return isEmpty(value) ? 'either' : 'refused'
    case 'file':
      return isEmpty(value) ? 'taken' : 'refused'
    case 'email':
      return value === null || (typeof value === 'string' && /^[\s\p{Cf}]*$|<.*>/su.test(value)) ? 'either' : 'refused'
    case 'truth':
      return when(isEmpty(value) || (!isObject(value) && isBooleanText(value)))
    case 'truth-filter':
      return value === 'on' ? 'either' : when(!isObject(value) && isBooleanText(value))
    case 'truthy':
      return when(!isObject(value))
    case 'page':
      return when(!isObject(value) && isPositiveInteger(value))
    case 'positive-or-none':
      if (value === null) return 'taken'
      return isScalar(value) && isPositiveInteger(value) ? 'either' : 'refused'
    case 'minutes':
      return isEmpty(value) ? 'taken' : isScalar(value) && isPositiveInteger(value) ? 'either' : 'refused'
    case 'positive':
      return isScalar(value) && isPositiveInteger(value) ? 'either' : 'refused'
    case 'id-or-none':
      return isNone(value) ? 'taken' : isScalar(value) && isPositiveInteger(value) ? 'either' : 'refused'
    case 'integer': {
      const number = isScalar(value) && /^\s*[+-]?\d+\s*$/.test(text) ? Number(value) : Number.NaN
      return number >= minimum && number <= maximum ? 'either' : 'refused'
    }
    case 'number':
    case 'number-filter': {
      // One coordinate cannot be cleared without the other.
      if (isEmpty(value)) return rule === 'number' ? 'either' : 'refused'
      const number = isScalar(value) && /^-?[\d.e-]+$/.test(text) ? Number(value) : Number.NaN
      return number >= minimum && number <= maximum ? 'either' : 'refused'
    }
    case 'ids':
      return toList(value).every(one => one === '' || one === null || (isScalar(one) && isPositiveInteger(one)))
        ? 'either'
        : 'refused'
    case 'terms':
      if (isEmpty(value) || value === false || (Array.isArray(value) && value.length === 0)) return 'either'
      return toList(value).every(
        one => one === null || typeof one === 'string' || (isScalar(one) && isPositiveInteger(one))
      ) && toList(value).filter(one => one !== '').length <= 100
        ? 'either'
        : 'refused'
    case 'statuses':
      return 'refused'
    case 'word':
      return when(value === null && schema.enum?.includes(null) === true)
    case 'links':
      if (isNone(value)) return 'taken'
      return toList(value).every(one => one === '' || one === null || (isScalar(one) && isPositiveInteger(one)))
        ? 'either'
        : 'refused'
    case 'image':
      return isNone(value) ? 'taken' : isScalar(value) && isPositiveInteger(value) ? 'either' : 'refused'
    case 'cost':
      return value === true || value === false || (isObject(value) && !Array.isArray(value)) ? 'refused' : 'either'
    case 'moment':
    case 'moment-or-none':
      if (isEmpty(value)) return rule === 'moment' ? 'refused' : 'taken'
      // Digits are seconds, days or times; words are relative to today.
      return isScalar(value) && /^[\d@+-]/.test(text) && !/^(2027-02-30|2027-01-01 25|0001|-infinity)/.test(text)
        ? 'either'
        : 'refused'
    case 'day':
      return 'refused'
    case 'per-day':
      return when(isScalar(value) && /^\d{1,3}$/.test(text) && Number(value) <= maximum)
    case 'timezone':
      return isEmpty(value) ? 'taken' : typeof value === 'string' && /^[+-]?\d+$/.test(value) ? 'either' : 'refused'
  }
}

/** Malformed notations in a form or a query: brackets, invalid bytes, and too much of them. */
export const malformedSpellings: [what: string, spelling: (name: string) => string, code?: string][] = [
  ['NUL', name => `${name}=a%00b`, 'nul-character'],
  ['bytes that are not UTF-8', name => `${name}=%ff`, 'not-utf8'],
  ['half a character', name => `${name}=%ed%a0%80`, 'not-utf8'],
  ['a broken sequence', name => `${name}=%zz%`],
  ['a list', name => `${name}[]=a&${name}[]=b`],
  ['a list with a hole', name => `${name}[999999999]=a`],
  ['an object', name => `${name}[a]=1&${name}[b][c]=2`],
  ['an object with an id', name => `${name}[id]=999999999`],
  ['first a list, then a text', name => `${name}[]=a&${name}=b&${name}[a][]=c`],
  ['a prototype', name => `${name}[__proto__][polluted]=1`, 'forbidden-name'],
  ['a constructor', name => `${name}[constructor][prototype][polluted]=1`, 'forbidden-name'],
  ['brackets in brackets', name => `${name}${'[a]'.repeat(30)}=1`, 'too-deep'],
  ['open brackets', name => `${name}[[[=1&${name}]]=1&${name}[=1`]
]
