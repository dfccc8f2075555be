import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCountry } from './country.ts'

test('the name of a country is translated to the language of the page, and other text is unchanged', () => {
  assert.equal(formatCountry('en', 'Deutschland'), 'Germany')
  assert.equal(formatCountry('de', ' germany'), 'Deutschland')
  assert.equal(formatCountry('de', 'United States'), 'Vereinigte Staaten')
  assert.equal(formatCountry('en', 'Österreich'), 'Austria')
  assert.equal(formatCountry('en', 'Germany'), 'Germany')
  for (const text of ['', 'Mittelerde', 'Bayern', 'DE-BY', '<b>']) assert.equal(formatCountry('en', text), text)
})
