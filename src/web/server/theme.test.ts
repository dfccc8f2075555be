import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildThemeCss, computeContrast } from './theme.ts'

const papers = ['#fbf7ef', '#1a1512']

test('whatever colour an organisation has, text in it and on it can be read, in light and dark', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, accent => {
      const themes = [
        ...buildThemeCss(accent).matchAll(/--accent:(#\w{6});--on-accent:(#\w{6});--accent-soft:(#\w{6})/g)
      ]
      assert.equal(themes.length, 2)
      for (const [index, [, shown = '', on = '', soft = '']] of themes.entries()) {
        assert.ok(computeContrast(shown, papers[index] ?? '') >= 4.5, `${accent} on paper`)
        assert.ok(computeContrast(on, shown) >= 4.5, `text on ${accent}`)
        assert.ok(computeContrast(shown, soft) >= 3, `${accent} on its own tint`)
      }
    }),
    { numRuns: 2000 }
  )
})
