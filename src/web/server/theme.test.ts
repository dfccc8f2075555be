import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { themes } from '#platform/site/schema.ts'
import { root } from '#test/support/project-root.ts'
import { buildThemeCss, computeContrast, getPalette, getThemePath } from './theme.ts'
import { palettes } from './themes.ts'

const schemes = ['light', 'dark'] as const
const styles = { light: 'colours.css', dark: 'dark.css' }
const readColour = (scheme: (typeof schemes)[number], name: string) => {
  const css = readFileSync(join(root, 'src/web/styles', styles[scheme]), 'utf8')
  return new RegExp(`--${name}: (#\\w{6})`).exec(css)?.[1] ?? assert.fail(`${name} of ${scheme}`)
}

test('in every theme, text has a contrast of 4.5 and field borders of 3 on their backgrounds, light and dark', () => {
  for (const theme of themes) {
    for (const scheme of schemes) {
      const { paper, leaf, ink, faded, accent, onAccent, accentSoft, edge } = palettes[theme][scheme]
      const tones = ['good', 'warn', 'bad'].map(name => readColour(scheme, name))
      const hues = Array.from({ length: 7 }, (_, index) => readColour(scheme, `hue-${index + 1}`))
      const about = (what: string) => `${what} of ${theme}, ${scheme}`
      for (const background of [paper, leaf]) {
        for (const text of [ink, faded, accent, ...tones, ...hues]) {
          assert.ok(computeContrast(text, background) >= 4.5, about(`${text} on ${background}`))
        }
        // Borders of fields, WCAG 1.4.11.
        assert.ok(computeContrast(edge, background) >= 3, about(`${edge} on ${background}`))
      }
      for (const text of [ink, faded, accent])
        assert.ok(computeContrast(text, accentSoft) >= 4.5, about(`${text} on soft`))
      assert.ok(computeContrast(onAccent, accent) >= 4.5, about('text on accent'))
    }
  }
})

test('the default theme has the colours of the style sheet and needs no further CSS', () => {
  for (const scheme of schemes) {
    const { onAccent, accentSoft, ...colours } = palettes.brick[scheme]
    for (const [name, colour] of Object.entries({ ...colours, 'on-accent': onAccent, 'accent-soft': accentSoft })) {
      assert.equal(readColour(scheme, name), colour, `${name} of ${scheme}`)
    }
  }
  assert.equal(getThemePath({ theme: 'brick', accent: null }), undefined)
  assert.equal(getThemePath({ theme: 'ocean', accent: '#0b6e4f' }), '/theme.css?theme=ocean&accent=0b6e4f')
  assert.equal(new Set(themes.map(theme => buildThemeCss({ theme, accent: null }))).size, 6)
})

test('for random accent colours, text in and on the colour is readable, light and dark', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, fc.constantFrom(...themes), fc.constantFrom(...schemes), (own, theme, scheme) => {
      const { paper, accent, onAccent, accentSoft } = getPalette({ theme, accent: own }, scheme)
      assert.ok(computeContrast(accent, paper) >= 4.5, `${own} on paper`)
      assert.ok(computeContrast(onAccent, accent) >= 4.5, `text on ${own}`)
      assert.ok(computeContrast(accent, accentSoft) >= 3, `${own} on its own tint`)
    }),
    { numRuns: 2000 }
  )
})

test('success, warnings and errors have distinct colours with readable text, light and dark', () => {
  for (const scheme of schemes) {
    const file = styles[scheme]
    const colour = (name: string) => readColour(scheme, name)
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
