import type { RouteContext } from '#platform/http/service.ts'

/** Background colours that the organisation's colour is shown on; see colours.css and dark.css. */
const backgrounds = { light: '#fbf7ef', dark: '#1a1512' }
/** WCAG AA requires 4.5 for text; this is a little more. */
const contrastMin = 4.8

/** CSS with the organisation's colour, lightened or darkened until text in it is readable. */
export function registerThemeRoutes({ app }: RouteContext): void {
  app.get('/theme.css', {
    config: { requires: 'public', cache: { tags: [] }, crossOrigin: 'load', neverShed: true },
    handler: async (request, reply) => {
      const { accent, scheme } = request.query as { accent?: unknown; scheme?: unknown }
      reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      return typeof accent === 'string' && /^[0-9a-f]{6}$/i.test(accent) ? buildThemeCss(`#${accent}`, scheme) : ''
    }
  })
}

/** Follows the visitor's colour scheme, or has only the given one. */
export function buildThemeCss(accent: string, scheme?: unknown): string {
  const light = `:root{${buildVariables(toReadableColor(accent, backgrounds.light), backgrounds.light)}}`
  const dark = `:root{${buildVariables(toReadableColor(accent, backgrounds.dark), backgrounds.dark)}}`
  if (scheme === 'light' || scheme === 'dark') return scheme === 'light' ? light : dark
  return `${light}@media screen and (prefers-color-scheme:dark){${dark}}`
}

function buildVariables(accent: string, paper: string): string {
  const onAccent = computeContrast(accent, '#ffffff') >= computeContrast(accent, '#1a1512') ? '#ffffff' : '#1a1512'
  return `--accent:${accent};--on-accent:${onAccent};--accent-soft:${mixColors(accent, paper, 0.86)};--hue-0:${accent}`
}

function toReadableColor(color: string, paper: string): string {
  const towards = computeLuminance(paper) > 0.5 ? '#000000' : '#ffffff'
  for (let share = 0; share <= 1; share += 0.05) {
    const candidate = mixColors(color, towards, share)
    if (computeContrast(candidate, paper) >= contrastMin) return candidate
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
