import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AmountError, parseAmount } from './amount.ts'

const newAmbiguity = (largeCents: number, smallCents: number): AmountError => ({
  fault: 'ambiguous',
  largeCents,
  smallCents
})
const form: AmountError = { fault: 'form' }
const decimals: AmountError = { fault: 'decimals' }
const large: AmountError = { fault: 'large' }

/** Input, result on an English page, and result on a German page if it differs. */
const table: [typed: string, en: number | AmountError, de?: number | AmountError][] = [
  ['50', 5000],
  ['0', 0],
  ['007', 700],
  ['12,50', 1250],
  ['12.50', 1250],
  ['12,5', 1250],
  ['12.5', 1250],
  ['0,05', 5],
  ['1,250', 125_000, newAmbiguity(125_000, 125)],
  ['1.250', newAmbiguity(125_000, 125), 125_000],
  ['999.999', newAmbiguity(99_999_900, 99_999), 99_999_900],
  ['1,250.00', 125_000],
  ['1.250,00', 125_000],
  ['1.250,5', 125_050],
  ['1,250,000', 125_000_000],
  ['1.250.000', 125_000_000],
  ['1.250.000,99', 125_000_099],
  ['1 250', 125_000],
  ['1 250,50', 125_050],
  ['1\u202f250\u00a0000', 125_000_000],
  [' 50 € ', 5000],
  ['€50', 5000],
  ['50 EUR', 5000],
  ['50,-', 5000],
  ['50.--', 5000],
  ['1250', 125_000],
  ['1250,00', 125_000],
  ['1250.5', 125_050],
  ['999999999,99', 99_999_999_999],
  ['12,505', 1_250_500, newAmbiguity(1_250_500, 1250)],
  ['0,505', decimals],
  ['1250,505', decimals],
  ['12,5050', decimals],
  ['1.250,505', decimals],
  ['1000000000', large],
  ['1.000.000.000', large],
  ['', form],
  ['   ', form],
  ['fifty', form],
  ['-50', form],
  ['5-', form],
  ['5e3', form],
  ['12,', form],
  [',50', form],
  ['1.25.00', form],
  ['1,250.00,0', form],
  ['12 50', form],
  ['1,2,3', form],
  ['1..250', form],
  ['12.50.', form],
  ['５０', form],
  ['1'.repeat(500), large]
]

test('an amount is parsed in the notation of the language, and refused as ambiguous if it could be two amounts', () => {
  for (const [typed, en, de = en] of table) {
    assert.deepEqual(parseAmount(typed, '.'), en, `${typed} in English`)
    assert.deepEqual(parseAmount(typed, ','), de, `${typed} in German`)
  }
})
