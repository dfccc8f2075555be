import type { ComponentChildren } from 'preact'
import { type RawPage, renderHtml } from '../page/page.ts'
import { getAssetPath } from '../server/assets.ts'
import type { PageContext } from '../server/context.ts'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Without a word from whoever shows it, it is as bright as the reader likes it. */
export function parseTheme({ query }: Pick<PageContext, 'query'>): Theme {
  return themes.find(one => one === query.theme) ?? 'auto'
}

interface EmbedContent {
  title: string
  /** For those who go from heading to heading; the next ones in it are of the second level. */
  heading?: string
  status?: number
  children: ComponentChildren
}

/**
 * A page for a frame on another site: without our head and foot, without cookies, and with links that open in the whole
 * window.
 */
export function renderEmbed(
  context: PageContext,
  { title, heading = context.site.name, status, children }: EmbedContent
): RawPage {
  const { language, site } = context
  const theme = parseTheme(context)
  const accent = site.accent?.slice(1)
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
          {accent === undefined ? null : <link rel="stylesheet" href={`/theme.css?accent=${accent}&scheme=${theme}`} />}
          <script type="module" src={getAssetPath('embed.js')} />
        </head>
        <body class="embed">
          {/* By its name, as the page around the frame has a main part of its own. */}
          <main aria-label={title}>
            <h1 class="visually-hidden">{heading}</h1>
            {children}
          </main>
        </body>
      </html>
    )
  }
}
