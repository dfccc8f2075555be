import type { ComponentChildren } from 'preact'
import { type RawPage, renderHtml } from '../page/page.ts'
import { getAssetPath } from '../server/assets.ts'
import type { PageContext } from '../server/context.ts'
import { getThemePath } from '../server/theme.ts'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Without the parameter, the embed follows the visitor's light or dark preference. */
export function parseTheme({ query }: Pick<PageContext, 'query'>): Theme {
  return themes.find(one => one === query.theme) ?? 'auto'
}

interface EmbedContent {
  title: string
  /** Heading for screen-reader navigation; the content continues with the second level. */
  heading?: string
  status?: number
  children: ComponentChildren
}

/**
 * A page for an iframe on another site: without header and footer, without cookies, and with links that open in the
 * whole window.
 */
export function renderEmbed(
  context: PageContext,
  { title, heading = context.site.name, status, children }: EmbedContent
): RawPage {
  const { language, site } = context
  const theme = parseTheme(context)
  const themePath = getThemePath(site, theme)
  return {
    type: 'text/html; charset=utf-8',
    status,
    text: renderHtml(
      <html lang={language} class={`theme-${theme}`}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href={getAssetPath('embed.css')} />
          {theme === 'light' ? null : (
            <link
              rel="stylesheet"
              href={getAssetPath('dark.css')}
              media={theme === 'dark' ? undefined : 'screen and (prefers-color-scheme: dark)'}
            />
          )}
          {themePath === undefined ? null : <link rel="stylesheet" href={themePath} />}
          <script type="module" src={getAssetPath('embed.js')} />
        </head>
        <body class="embed">
          {/* Labelled, as the page around the iframe has its own main landmark. */}
          <main aria-label={title}>
            <h1 class="visually-hidden">{heading}</h1>
            {children}
          </main>
        </body>
      </html>
    )
  }
}
