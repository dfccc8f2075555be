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
      const palette = palettes[theme][scheme]
      const { accent, onAccent, accentSoft, controlBorder } = palette
      const tones = ['good', 'warn', 'bad'].map(name => readColour(scheme, name))
      const hues = Array.from({ length: 7 }, (_, index) => readColour(scheme, `hue-${index + 1}`))
      const about = (what: string) => `${what} of ${theme}, ${scheme}`
      for (const background of [palette.background, palette.surface]) {
        for (const text of [palette.text, palette.muted, accent, ...tones, ...hues]) {
          assert.ok(computeContrast(text, background) >= 4.5, about(`${text} on ${background}`))
        }
        // Borders of fields, WCAG 1.4.11.
        assert.ok(computeContrast(controlBorder, background) >= 3, about(`${controlBorder} on ${background}`))
      }
      for (const text of [palette.text, palette.muted, accent])
        assert.ok(computeContrast(text, accentSoft) >= 4.5, about(`${text} on soft`))
      assert.ok(computeContrast(onAccent, accent) >= 4.5, about('text on accent'))
    }
  }
})

test('the default theme has the colours of the style sheet and needs no further CSS', () => {
  for (const scheme of schemes) {
    for (const [name, colour] of Object.entries(palettes.brick[scheme])) {
      const variable = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      assert.equal(readColour(scheme, variable), colour, `${name} of ${scheme}`)
    }
  }
  assert.equal(getThemePath({ theme: 'brick', accent: null }), undefined)
  const path = getThemePath({ theme: 'ocean', accent: '#0b6e4f' }) ?? ''
  assert.match(path, /^\/theme\.css\?theme=ocean&accent=0b6e4f&v=[\w-]{8}$/)
  assert.equal(new Set(themes.map(theme => buildThemeCss({ theme, accent: null }))).size, 6)
})

test('for random accent colours, text in and on the colour is readable, light and dark', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, fc.constantFrom(...themes), fc.constantFrom(...schemes), (own, theme, scheme) => {
      const { background, accent, onAccent, accentSoft } = getPalette({ theme, accent: own }, scheme)
      assert.ok(computeContrast(accent, background) >= 4.5, `${own} on the background`)
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
      assert.ok(computeContrast(colour('text'), soft) >= 4.5, `text of a notice, ${tone} in ${file}`)
      assert.ok(computeContrast(colour(tone), soft) >= 4.5, `text of a badge, ${tone} in ${file}`)
      assert.ok(computeContrast(colour(tone), colour('surface')) >= 4.5, `${tone} on a card in ${file}`)
      assert.ok(computeContrast(colour(tone), colour('background')) >= 4.5, `${tone} on a page in ${file}`)
    }
  }
})
