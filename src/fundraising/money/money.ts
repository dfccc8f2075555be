import { Type } from 'typebox'
import type { Rule } from '#platform/http/validation.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'

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
    if (read < leastCents) return newTooSmall(leastCents)
    if (read > centsMax) return newTooLarge()
    return { value: read }
  }
}

type InvalidAmount = { code: string; message: Text }

/** Parses the decimal text; floating-point multiplication would not be exact. */
export function parseMoney(value: number | string): Cents | InvalidAmount {
  const text = typeof value === 'number' ? String(value) : value.trim()
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) {
    if (typeof value === 'number' && Math.abs(value) < 1) return newTooManyDecimals()
    if (typeof value === 'number' && !Number.isNaN(value)) return value > 0 ? newTooLarge() : lowestCents
    return text.includes(',') ? newComma() : newNotANumber()
  }
  if (decimals.length > 2) return newTooManyDecimals()
  if (whole.length > 15) return sign === '' ? newTooLarge() : lowestCents
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return (sign === '-' && cents !== 0 ? -cents : cents) as Cents
}

const newNotANumber = (): InvalidAmount => ({
  code: 'not-a-number',
  message: buildText('fundraising-rules', 'notANumber')
})
const newComma = (): InvalidAmount => ({ code: 'comma', message: buildText('fundraising-rules', 'comma') })
const newTooManyDecimals = (): InvalidAmount => ({
  code: 'too-many-decimals',
  message: buildText('fundraising-rules', 'tooManyDecimals')
})
const newTooLarge = (): InvalidAmount => ({
  code: 'too-large',
  message: buildText('fundraising-rules', 'amountTooLarge')
})
const newTooSmall = (leastCents: number): InvalidAmount => ({
  code: 'too-small',
  message: leastCents === 0 ? buildText('fundraising-rules', 'negative') : buildText('fundraising-rules', 'zero')
})
