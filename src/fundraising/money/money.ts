import { Type } from 'typebox'
import type { Rule } from '#platform/http/validation.ts'
import type { Text } from '#platform/language.ts'

/** Whole cents. The branded type keeps them apart from the decimal amounts of the API. */
export type Cents = number & { readonly unit: 'cents' }

const centsMax = 99_999_999_999
/** Stands for amounts so negative that the exact value does not matter. */
const lowestCents = Number.MIN_SAFE_INTEGER as Cents

/** An amount in responses: a number with at most two decimals. */
export const buildAmountSchema = (description: string) => Type.Number({ description })

/** An amount in requests: a number or its text; parsed into cents. */
export const buildAmountInputSchema = (description: string, leastCents: number) =>
  Type.Unsafe<Cents>({ type: ['number', 'string'], money: leastCents, description, examples: [20, '20.50'] })

/** Exact: cents divided by 100 give the double nearest to the decimal, which prints as that decimal. */
export function toAmount(cents: number): number {
  return cents / 100
}

export const moneyRule: Rule = {
  keyword: 'money',
  type: ['number', 'string'],
  check: (value: number | string, leastCents: number) => {
    const read = parseMoney(value)
    if (typeof read !== 'number') return read
    if (read < leastCents) return tooSmall(leastCents)
    if (read > centsMax) return tooLarge
    return { value: read }
  }
}

type InvalidAmount = { code: string; message: Text }

/** Parses the decimal text; floating-point multiplication would not be exact. */
export function parseMoney(value: number | string): Cents | InvalidAmount {
  const text = typeof value === 'number' ? String(value) : value.trim()
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) {
    if (typeof value === 'number' && Math.abs(value) < 1) return tooManyDecimals
    if (typeof value === 'number' && !Number.isNaN(value)) return value > 0 ? tooLarge : lowestCents
    return text.includes(',') ? comma : notANumber
  }
  if (decimals.length > 2) return tooManyDecimals
  if (whole.length > 15) return sign === '' ? tooLarge : lowestCents
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return (sign === '-' && cents !== 0 ? -cents : cents) as Cents
}

const notANumber: InvalidAmount = {
  code: 'not-a-number',
  message: { en: 'must be an amount such as 20 or 20.50', de: 'muss ein Betrag wie 20 oder 20.50 sein' }
}
const comma: InvalidAmount = {
  code: 'comma',
  message: {
    en: 'must have a point before the decimals, as in 20.50',
    de: 'braucht einen Punkt vor den Dezimalen, etwa 20.50'
  }
}
const tooManyDecimals: InvalidAmount = {
  code: 'too-many-decimals',
  message: { en: 'must have at most two decimals', de: 'darf höchstens zwei Dezimalen haben' }
}
const tooLarge: InvalidAmount = {
  code: 'too-large',
  message: { en: 'must be at most 999999999.99', de: 'darf höchstens 999999999.99 sein' }
}
const tooSmall = (leastCents: number): InvalidAmount => ({
  code: 'too-small',
  message:
    leastCents === 0
      ? { en: 'must not be negative', de: 'darf nicht negativ sein' }
      : { en: 'must be more than 0', de: 'muss größer als 0 sein' }
})
