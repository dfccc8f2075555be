import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCountrySpecifications, isValidIBAN } from 'ibantools'
import { checkIban, getIbanLength, normalizeIban } from './iban.ts'

test('the IBAN length of every country is the one that the API uses', () => {
  const known = Object.entries(getCountrySpecifications()).filter(([, { chars }]) => chars !== null)
  assert.ok(known.length > 100)
  for (const [country, { chars }] of known) assert.equal(getIbanLength(country), chars, country)
  for (const none of ['ZZ', 'US', '22', 'ED', '']) assert.equal(getIbanLength(none), undefined, none)
})

test('an invalid IBAN is refused with the kind of its fault', () => {
  const table: [string, string | undefined][] = [
    ['DE89370400440532013000', undefined],
    ['GB29NWBK60161331926819', undefined],
    ['NO9386011117947', undefined],
    ['MT84MALT011000012345MTLCAST001S', undefined],
    ['DE88370400440532013000', 'digits'],
    ['DE89370400440532013001', 'digits'],
    ['DE89370400440523013000', 'digits'],
    ['DE8937040044053201300', 'length'],
    ['DE893704004405320130000', 'length'],
    ['ZZ89370400440532013000', 'country'],
    ['89370400440532013000', 'form'],
    ['DEXX370400440532013000', 'form'],
    ['DE89-3704', 'form'],
    ['', 'form']
  ]
  for (const [iban, fault] of table) {
    assert.equal(checkIban(iban)?.fault, fault, iban)
    assert.equal(isValidIBAN(iban), fault === undefined, iban)
  }
})

test('spaces, punctuation and lower case are normalized, and other letters are not converted to ASCII', () => {
  assert.equal(normalizeIban(' de89 3704\u00a00044-0532.0130 00 '), 'DE89370400440532013000')
  assert.equal(checkIban(normalizeIban('dı89370400440532013000'))?.fault, 'form')
})
