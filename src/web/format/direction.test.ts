import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDirAttribute } from './direction.ts'

test('text with right-to-left characters gets dir=auto, other text no dir attribute', () => {
  for (const text of ['حفل موسيقي', 'מפגש שכונה', '2027: Fest (مهرجان)', 'ﭐ', '𐤀']) {
    assert.equal(getDirAttribute(text), 'auto', text)
  }
  for (const text of ['', 'Fest', 'Праздник', '祭り', 'São Paulo', '🎉 5 €'])
    assert.equal(getDirAttribute(text), undefined)
})
