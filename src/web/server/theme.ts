import { hash } from 'node:crypto'
import type { RouteContext } from '#platform/http/service.ts'
import { type ThemeName, themes } from '#platform/site/schema.ts'
import type { SiteSettings } from './site-settings.ts'
import { type Palette, palettes } from './themes.ts'

/** WCAG AA requires 4.5 for text; this is a little more. */
const contrastMin = 4.8

/** CSS with the colours of the organisation; its own colour is lightened or darkened until text in it is readable. */
export function registerThemeRoutes({ app }: RouteContext): void {
  app.get('/theme.css', {
    config: { requires: 'public', cache: { tags: [] }, crossOrigin: 'load', neverShed: true },
    handler: async (request, reply) => {
      const { theme, accent, scheme } = request.query as Record<string, unknown>
      reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      const own = typeof accent === 'string' && /^[0-9a-f]{6}$/i.test(accent) ? `#${accent}` : null
      return buildThemeCss({ theme: themes.find(name => name === theme) ?? 'brick', accent: own }, scheme)
    }
  })
}

type ThemeChoice = Pick<SiteSettings, 'theme' | 'accent'>

/** Address of the CSS; undefined for the colours that the style sheet has already. */
export function getThemePath({ theme, accent }: ThemeChoice, scheme?: string): string | undefined {
  if (theme === defaultTheme && accent === null) return undefined
  const query = new URLSearchParams({
    ...(theme === defaultTheme ? {} : { theme }),
    ...(accent === null ? {} : { accent: accent.slice(1) }),
    ...(scheme === undefined ? {} : { scheme }),
    v: version
  })
  return `/theme.css?${query}`
}

const defaultTheme: ThemeName = 'brick'

/** In the address, because browsers cache the CSS for a day: it changes with the colours and with the names of the variables. */
const version = hash('sha1', JSON.stringify(palettes), 'base64url').slice(0, 8)

/** The colours of the theme, with the organisation's own accent colour if it has one. */
export function getPalette({ theme, accent }: ThemeChoice, scheme: 'light' | 'dark'): Palette {
  const palette = palettes[theme][scheme]
  if (accent === null || !/^#[\da-f]{6}$/i.test(accent)) return palette
  const own = toReadableColor(accent, palette.background)
  const onAccent = computeContrast(own, '#ffffff') >= computeContrast(own, '#1a1512') ? '#ffffff' : '#1a1512'
  return { ...palette, accent: own, onAccent, accentSoft: mixColors(own, palette.background, 0.86) }
}

/** Follows the visitor's colour scheme, or has only the given one. */
export function buildThemeCss(choice: ThemeChoice, scheme?: unknown): string {
  const light = `:root{${buildVariables(getPalette(choice, 'light'))}}`
  const dark = `:root{${buildVariables(getPalette(choice, 'dark'))}}`
  if (scheme === 'light' || scheme === 'dark') return scheme === 'light' ? light : dark
  return `${light}@media screen and (prefers-color-scheme:dark){${dark}}`
}

function buildVariables(palette: Palette): string {
  return Object.entries({ ...palette, 'hue-0': palette.accent })
    .map(([name, colour]) => `--${toVariableName(name)}:${colour}`)
    .join(';')
}

/** `onAccent` → `on-accent` */
const toVariableName = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

function toReadableColor(color: string, background: string): string {
  const towards = computeLuminance(background) > 0.5 ? '#000000' : '#ffffff'
  for (let share = 0; share <= 1; share += 0.05) {
    const candidate = mixColors(color, towards, share)
    if (computeContrast(candidate, background) >= contrastMin) return candidate
  }
  return towards
}

function mixColors(color: string, other: string, share: number): string {
  const parts = parseChannels(color).map((value, index) =>
    Math.round(value * (1 - share) + (parseChannels(other)[index] ?? 0) * share)
      .toString(16)
      .padStart(2, '0')
  )
  return `#${parts.join('')}`
}

function parseChannels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}

/** WCAG 2: relative luminance. */
function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = parseChannels(color).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function computeContrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}
