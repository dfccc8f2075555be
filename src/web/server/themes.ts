import type { ThemeName } from '#platform/site/schema.ts'

/** Colours of a theme in one colour scheme; the names are those of colours.css. */
export interface Palette {
  background: string
  surface: string
  text: string
  muted: string
  line: string
  accent: string
  onAccent: string
  accentSoft: string
  controlBorder: string
}

/** A test computes the contrast of every pair that pages use. `brick` repeats colours.css and dark.css. */
export const palettes: Record<ThemeName, { light: Palette; dark: Palette }> = {
  brick: {
    light: newPalette('#fbf7ef #fffdf9 #261d17 #695a4e #e5d9c8 #a5301b #fffaf5 #f8e7df #8f7f70'),
    dark: newPalette('#1a1512 #241d19 #f3eae0 #bfae9f #40352d #f39a83 #2b0f08 #43241c #8f7f71')
  },
  forest: {
    light: newPalette('#f6f8f1 #fdfefa #1b231b #54604f #d9e0cf #2f6b3c #f8fff8 #e2efdf #788571'),
    dark: newPalette('#121813 #1a221b #e8f0e6 #a9b8a5 #324034 #8fce95 #0a240f #20382a #76877a')
  },
  ocean: {
    light: newPalette('#f3f7fa #fcfeff #16212b #506070 #d3dfe8 #14608c #f7fcff #deedf6 #728393'),
    dark: newPalette('#10171c #172128 #e5eef4 #a3b6c3 #2d3d48 #7fc3ea #06202f #16344a #728796')
  },
  plum: {
    light: newPalette('#faf5f9 #fffcfe #261a27 #655566 #e6d8e5 #7d2f78 #fff8ff #f4e2f2 #8b798b'),
    dark: newPalette('#19131a #221a23 #f2e8f2 #bcaabd #3e323f #e2a0dc #2d0c2b #43243f #8c7b8d')
  },
  honey: {
    light: newPalette('#fcf8ec #fffef8 #292110 #675b41 #e8dfc4 #835500 #fffaf0 #f8ecca #8a7d5e'),
    dark: newPalette('#19150c #221d12 #f3ecdc #bfb294 #403824 #ecc05c #2a1d00 #423410 #8d8166')
  },
  slate: {
    light: newPalette('#f6f6f5 #ffffff #1d2023 #575d63 #dcdddd #37505c #f7fcff #e4eaed #7f858a'),
    dark: newPalette('#141618 #1c1f22 #eceef0 #aab1b7 #363b40 #a9c0cc #101c22 #2b363c #7f878d')
  }
}

function newPalette(colours: string): Palette {
  const [
    background = '',
    surface = '',
    text = '',
    muted = '',
    line = '',
    accent = '',
    onAccent = '',
    accentSoft = '',
    controlBorder = ''
  ] = colours.split(' ')
  return { background, surface, text, muted, line, accent, onAccent, accentSoft, controlBorder }
}
