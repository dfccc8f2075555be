import type { ComponentChildren } from 'preact'
import { type Language, languages, otherLanguage } from '#platform/language.ts'
import { asset } from './assets.ts'
import type { Page } from './page.ts'
import { pathTo } from './paths.ts'
import type { SiteInfo } from './site-info.ts'
import { frameWords } from './text/frame.ts'
import { JsonLd } from './ui/json-ld.tsx'
import type { Visit } from './visit.ts'

/** A page of the public site, with all that others read in its head. */
export function Layout({ visit, page }: { visit: Visit; page: Page }) {
  const { language, site, origin, path } = visit
  const twins = page.twins ?? {}
  const canonical = origin + (page.canonical ?? twins[language] ?? path)
  const description = page.description ?? site.tagline[language]
  const feed = page.feed ?? `/${language}/events.ics`
  const title = page.title === site.name ? site.name : `${page.title} · ${site.name}`
  return (
    <Frame
      site={site}
      language={language}
      title={title}
      twins={twins}
      menu={page.menu}
      islands={page.islands}
      head={
        <>
          {description === '' ? null : <meta name="description" content={description} />}
          {page.noindex === true ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
          {languages
            .filter(one => twins[one] !== undefined && site.languages.includes(one))
            .map(one => (
              <link key={one} rel="alternate" hreflang={one} href={origin + twins[one]} />
            ))}
          {page.previous === undefined ? null : <link rel="prev" href={page.previous} />}
          {page.next === undefined ? null : <link rel="next" href={page.next} />}
          <meta property="og:site_name" content={site.name} />
          <meta property="og:title" content={page.title} />
          <meta property="og:type" content={page.kind ?? 'website'} />
          <meta property="og:url" content={canonical} />
          <meta property="og:locale" content={language === 'de' ? 'de_DE' : 'en_GB'} />
          {description === '' ? null : <meta property="og:description" content={description} />}
          {page.image === undefined ? null : (
            <>
              <meta property="og:image" content={absolute(origin, page.image.url)} />
              <meta property="og:image:alt" content={page.image.alt} />
            </>
          )}
          <link rel="alternate" type="text/calendar" title={frameWords[language].calendar} href={origin + feed} />
          <NewsLinks origin={origin} news={page.news ?? page.feed?.replace('.ics', '.atom')} />
          {page.isEmbeddable === true ? (
            <link rel="alternate" type="application/json+oembed" title={page.title} href={oembedAddress(visit, page)} />
          ) : null}
          <meta name="tec-api-version" content="v1" />
          <meta name="tec-api-origin" content={origin} />
          <link rel="alternate" href={`${origin}/wp-json/tribe/events/v1/`} />
          {page.jsonLd === undefined ? null : <JsonLd data={page.jsonLd} />}
        </>
      }
    >
      {page.body}
    </Frame>
  )
}

/** For feed readers. */
function NewsLinks({ origin, news }: { origin: string; news: string | undefined }) {
  if (news === undefined) return null
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title="Atom" href={origin + news} />
      <link rel="alternate" type="application/rss+xml" title="RSS" href={origin + news.replace('.atom', '.rss')} />
    </>
  )
}

/** Where others learn how to show this very page inside their own. */
function oembedAddress({ origin, language, path }: Visit, { twins }: Page): string {
  return `${origin}/oembed?url=${encodeURIComponent(origin + (twins?.[language] ?? path))}`
}

function absolute(origin: string, url: string): string {
  return url.startsWith('/') ? origin + url : url
}

/** Longer names are set smaller: they would fill half a phone. */
const shortNameMax = 40

/** Everything around the content, for ordinary pages and for those that say what went wrong. */
export function Frame({
  site,
  language,
  title,
  twins,
  menu,
  head,
  islands = [],
  children
}: {
  site: SiteInfo
  language: Language
  title: string
  twins: Partial<Record<Language, string>>
  menu?: Page['menu']
  head: ComponentChildren
  islands?: string[] | undefined
  children: ComponentChildren
}) {
  const words = frameWords[language]
  const other = otherLanguage(language)
  const entry = (place: 'calendar' | 'campaigns' | 'about', name: Page['menu'], label: string) => (
    <li>
      <a href={pathTo(place, language)} {...(menu === name ? { 'aria-current': 'true' as const } : {})}>
        {label}
      </a>
    </li>
  )
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="preload" href={asset('fraunces.woff2')} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={asset('site.css')} />
        {site.accent === null ? null : <link rel="stylesheet" href={`/theme.css?accent=${site.accent.slice(1)}`} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {head}
        {islands.map(name => (
          <script key={name} type="module" src={asset(`${name}.js`)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="masthead">
          <div class="wide masthead-row">
            <a class={site.name.length > shortNameMax ? 'brand long' : 'brand'} href={pathTo('home', language)}>
              {site.logoUrl === null ? <Mark /> : <img src={site.logoUrl} alt="" height="36" />}
              <span>{site.name}</span>
            </a>
            <nav aria-label={words.menu}>
              <ul class="menu">
                {entry('calendar', 'calendar', words.calendar)}
                {entry('campaigns', 'donate', words.donate)}
                {entry('about', 'about', words.about)}
                {site.languages.length < 2 ? null : (
                  <li class="menu-language">
                    <a
                      href={twins[other] ?? pathTo('home', other)}
                      hreflang={other}
                      lang={other}
                      aria-label={words.otherLanguageLabel}
                    >
                      {words.otherLanguage}
                    </a>
                  </li>
                )}
              </ul>
            </nav>
          </div>
        </header>
        <main id="content" class="wide" tabIndex={-1}>
          {children}
        </main>
        <footer class="footer">
          <div class="wide footer-row">
            <p class="footer-name">
              <strong>{site.name}</strong>
              {site.tagline[language] === '' ? null : <span> {site.tagline[language]}</span>}
            </p>
            <nav aria-label={words.footer}>
              <ul class="footer-links">
                <li>
                  <a href={pathTo('imprint', language)}>{words.imprint}</a>
                </li>
                <li>
                  <a href={pathTo('privacy', language)}>{words.privacy}</a>
                </li>
                {site.contactEmail === null ? null : (
                  <li>
                    <a href={`mailto:${site.contactEmail}`}>{words.contact}</a>
                  </li>
                )}
                <li>
                  <a href={pathTo('feeds', language)}>{words.feeds}</a>
                </li>
                <li>
                  <a href={pathTo('api', language)}>{words.api}</a>
                </li>
                <li>
                  <a href="/admin" rel="nofollow">
                    {words.console}
                  </a>
                </li>
              </ul>
            </nav>
          </div>
        </footer>
      </body>
    </html>
  )
}

/** Our sign: a leaf of a calendar with the first of the month on it. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect class="mark-leaf" x="3" y="5" width="26" height="24" rx="5" />
      <path class="mark-band" d="M3 10a5 5 0 0 1 5-5h16a5 5 0 0 1 5 5v2H3z" />
      <path class="mark-letter" d="M12 15v11M12 20.5l7-5.5M13.6 19.4l6 6.6" />
    </svg>
  )
}
