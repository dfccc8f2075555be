import type { ComponentChildren } from 'preact'
import { asset } from '../assets.ts'
import { htmlOf, type Written } from '../page.ts'
import type { Visit } from '../visit.ts'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Without a word from whoever shows it, it is as bright as the reader likes it. */
export function themeIn({ query }: Pick<Visit, 'query'>): Theme {
  return themes.find(one => one === query.theme) ?? 'auto'
}

interface Embedded {
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
export function embedDocument(visit: Visit, { title, heading = visit.site.name, status, children }: Embedded): Written {
  const { language, site } = visit
  const theme = themeIn(visit)
  const accent = site.accent?.slice(1)
  return {
    type: 'text/html; charset=utf-8',
    status,
    text: htmlOf(
      <html lang={language} class={`theme-${theme}`}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href={asset('embed.css')} />
          {theme === 'light' ? null : (
            <link
              rel="stylesheet"
              href={asset('dark.css')}
              media={theme === 'dark' ? undefined : 'screen and (prefers-color-scheme: dark)'}
            />
          )}
          {accent === undefined ? null : <link rel="stylesheet" href={`/theme.css?accent=${accent}&scheme=${theme}`} />}
          <script type="module" src={asset('embed.js')} />
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
