/** IBAN lengths, each followed by its countries. Browsers load this file too, so it is kept short. */
const lengths =
  '15NO 16BE 18AXDKFIFKFOGLNLSD 19MKSI 20ATBAEEKZLTLUMNXK 21CHHRLILV 22BGBHCRDEGBGEIEMERSVA 23AEGIILIQOMSOTL ' +
  '24ADCZESMDPKROSASESKTNVG 25AOCVGWLYMZPTST 26DZIRISTR ' +
  '27BIBLCFCGCMDJFRGAGFGPGQGRITKMMCMFMGMQMRNCPFPMRESMTDTFWFYT 28ALAZBFBJBYCICYDOGTHNHULBMAMLNENIPLSNSVTG ' +
  '29BREGPSQAUA 30JOKWMUYE 31MTSC 32LC 33RU'

/** Validation error of an IBAN; `length` comes with the expected length. */
export type IbanError = { fault: 'form' | 'country' | 'digits' } | { fault: 'length'; expected: number }

/** Validates a normalized IBAN: its form, the length for its country, its check digits. */
export function checkIban(iban: string): IbanError | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]*$/.test(iban)) return { fault: 'form' }
  const expected = getIbanLength(iban.slice(0, 2))
  if (expected === undefined) return { fault: 'country' }
  if (iban.length !== expected) return { fault: 'length', expected }
  return computeRemainder(iban) === 1 ? undefined : { fault: 'digits' }
}

/** Removes spaces and separators, and converts to upper case. Non-ASCII letters stay unchanged. */
export function normalizeIban(typed: string): string {
  return typed.replace(/[\s.\-\u200b-\u200f\u2060\ufeff]/g, '').replace(/[a-z]+/g, letters => letters.toUpperCase())
}

export function getIbanLength(country: string): number | undefined {
  const group = lengths.split(' ').find(one => one.match(/[A-Z]{2}/g)?.includes(country))
  return group === undefined ? undefined : Number.parseInt(group, 10)
}

/** Modulo 97 (ISO 7064): letters as numbers from 10, the first four characters moved to the end. */
function computeRemainder(iban: string): number {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
