import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { root } from '#test/support/project-root.ts'
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

test('success, warnings and errors have colours of their own, with text that can be read, in light and dark', () => {
  for (const file of ['colours.css', 'dark.css']) {
    const css = readFileSync(join(root, 'src/web/styles', file), 'utf8')
    const colour = (name: string) =>
      new RegExp(`--${name}: (#\\w{6})`).exec(css)?.[1] ?? assert.fail(`${name} of ${file}`)
    const tones = ['good', 'warn', 'bad']
    assert.equal(new Set([...tones, 'accent'].flatMap(tone => [colour(tone), colour(`${tone}-soft`)])).size, 8, file)
    for (const tone of tones) {
      const soft = colour(`${tone}-soft`)
      assert.ok(computeContrast(colour('ink'), soft) >= 4.5, `text of a notice, ${tone} in ${file}`)
      assert.ok(computeContrast(colour(tone), soft) >= 4.5, `text of a badge, ${tone} in ${file}`)
      assert.ok(computeContrast(colour(tone), colour('leaf')) >= 4.5, `${tone} on a card in ${file}`)
      assert.ok(computeContrast(colour(tone), colour('paper')) >= 4.5, `${tone} on a page in ${file}`)
    }
  }
})
