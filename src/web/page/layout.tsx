import type { ComponentChildren } from 'preact'
import { formatLanguageName, getLocale, type Language, languages, listOtherLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { JsonLd } from '../components/json-ld.tsx'
import { SocialLinks } from '../components/social-links.tsx'
import { hashPreview, previewSize } from '../pictures/preview-image.ts'
import { getAssetPath } from '../server/assets.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import { getTagline, type SiteSettings } from '../server/site-settings.ts'
import { BrandLinks } from './brand-links.tsx'
import type { Page } from './page.ts'
import { PageLinks } from './page-links.tsx'
import { addPreviewQuery } from './preview-address.ts'

/** Layout of a public page, with its metadata in the head. */
export function Layout({ context, page }: { context: PageContext; page: Page }) {
  const { language, site, origin, path } = context
  const alternates = page.alternates ?? {}
  const canonical = origin + (page.canonical ?? alternates[language] ?? path)
  const description =
    page.description || getTagline(site, language) || getMessages('layout', language).description({ name: site.name })
  const feed = page.icalFeed ?? `/${language}/events.ics`
  const title = page.title === site.name ? site.name : `${page.title} · ${site.name}`
  return (
    <PageFrame
      site={site}
      language={language}
      title={title}
      alternates={alternates}
      menu={page.menu}
      styles={page.styles}
      scripts={page.scripts}
      head={
        <>
          <meta name="description" content={description} />
          {page.noindex === true ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
          {languages
            .filter(one => alternates[one] !== undefined && site.languages.includes(one))
            .map(one => (
              <link key={one} rel="alternate" hreflang={one} href={origin + alternates[one]} />
            ))}
          {page.previous === undefined ? null : <link rel="prev" href={page.previous} />}
          {page.next === undefined ? null : <link rel="next" href={page.next} />}
          <meta property="og:site_name" content={site.name} />
          <meta property="og:title" content={page.title} />
          <meta property="og:type" content={page.kind ?? 'website'} />
          <meta property="og:url" content={canonical} />
          <meta property="og:locale" content={getLocale(language).replace('-', '_')} />
          <meta property="og:description" content={description} />
          <PreviewImage context={context} page={page} canonical={canonical} />
          <link
            rel="alternate"
            type="text/calendar"
            title={getMessages('layout', language).calendar}
            href={origin + feed}
          />
          <FeedLinks origin={origin} news={page.atomFeed ?? page.icalFeed?.replace('.ics', '.atom')} />
          {page.isEmbeddable === true ? (
            <link
              rel="alternate"
              type="application/json+oembed"
              title={page.title}
              href={getOembedUrl(context, page)}
            />
          ) : null}
          <meta name="tec-api-version" content="v1" />
          <meta name="tec-api-origin" content={origin} />
          <link rel="alternate" href={`${origin}/wp-json/tribe/events/v1/`} />
          {page.jsonLd === undefined ? null : <JsonLd data={page.jsonLd} />}
        </>
      }
    >
      {page.body}
    </PageFrame>
  )
}

/** The picture of the page, else one that is drawn from its title; pages that are not to be found have none. */
function PreviewImage({ context, page, canonical }: { context: PageContext; page: Page; canonical: string }) {
  const { image, title, noindex } = page
  if (image !== undefined) {
    return (
      <>
        <meta property="og:image" content={toAbsoluteUrl(context.origin, image.url)} />
        {image.alt === '' ? null : <meta property="og:image:alt" content={image.alt} />}
        <meta name="twitter:card" content="summary_large_image" />
      </>
    )
  }
  if (noindex === true) return null
  return (
    <>
      <meta property="og:image" content={addPreviewQuery(canonical, hashPreview(context.site, title))} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(previewSize.width)} />
      <meta property="og:image:height" content={String(previewSize.height)} />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** Links for feed readers. */
function FeedLinks({ origin, news }: { origin: string; news: string | undefined }) {
  if (news === undefined) return null
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title="Atom" href={origin + news} />
      <link rel="alternate" type="application/rss+xml" title="RSS" href={origin + news.replace('.atom', '.rss')} />
    </>
  )
}

/** oEmbed URL of this page. */
function getOembedUrl({ origin, language, path }: PageContext, { alternates }: Page): string {
  return `${origin}/oembed?url=${encodeURIComponent(origin + (alternates?.[language] ?? path))}`
}

function toAbsoluteUrl(origin: string, url: string): string {
  return url.startsWith('/') ? origin + url : url
}

/** Longer names get a smaller font: they would fill half a phone. */
const shortNameMax = 40

/** Header, navigation and footer, for ordinary pages and error pages. */
export function PageFrame({
  site,
  language,
  title,
  alternates,
  menu,
  head,
  styles,
  scripts = [],
  children
}: {
  site: SiteSettings
  language: Language
  title: string
  alternates: Partial<Record<Language, string>>
  menu?: Page['menu']
  head: ComponentChildren
  styles?: Page['styles']
  scripts?: string[] | undefined
  children: ComponentChildren
}) {
  const strings = getMessages('layout', language)
  const tagline = getTagline(site, language)
  const entry = (place: 'calendar' | 'campaigns', name: Page['menu'], label: string) => (
    <li>
      <a href={getPath(place, language)} {...(menu === name ? { 'aria-current': 'true' as const } : {})}>
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
        {['fraunces.woff2', 'source-sans.woff2'].map(font => (
          <link
            key={font}
            rel="preload"
            href={getAssetPath(font)}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        <link rel="stylesheet" href={getAssetPath('site.css')} />
        {styles === undefined ? null : <link rel="stylesheet" href={getAssetPath(`${styles}.css`)} />}
        <BrandLinks site={site} />
        {head}
        {scripts.map(name => (
          <script key={name} type="module" src={getAssetPath(`${name}.js`)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {strings.skip}
        </a>
        <header class="masthead">
          <div class="wide masthead-row">
            <a class={site.name.length > shortNameMax ? 'brand long' : 'brand'} href={getPath('home', language)}>
              {site.logoUrl === null ? <Logo /> : <img class="brand-logo" src={site.logoUrl} alt="" />}
              <span>{site.name}</span>
            </a>
            <nav aria-label={strings.menu}>
              <ul class="menu">
                {entry('calendar', 'calendar', strings.calendar)}
                {entry('campaigns', 'donate', strings.donate)}
                <PageLinks site={site} language={language} place="header" current={alternates[language]} />
                {listOtherLanguages(language, site.languages).map(other => (
                  <li key={other} class="menu-language">
                    <a
                      href={alternates[other] ?? getPath('home', other)}
                      hreflang={other}
                      lang={other}
                      aria-label={getMessages('layout', other).thisPage}
                    >
                      {formatLanguageName(other, other)}
                    </a>
                  </li>
                ))}
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
              {tagline === '' ? null : <span> {tagline}</span>}
            </p>
            <SocialLinks language={language} links={site.socialLinks} />
            <nav aria-label={strings.footer}>
              <ul class="footer-links">
                <PageLinks site={site} language={language} place="footer" current={alternates[language]} />
                {site.contactEmail === null ? null : (
                  <li>
                    <a href={`mailto:${site.contactEmail}`}>{strings.contact}</a>
                  </li>
                )}
                <li>
                  <a href={getPath('feeds', language)}>{strings.feeds}</a>
                </li>
                <li>
                  <a href={getPath('api', language)}>{strings.api}</a>
                </li>
                <li>
                  <a href="/admin" rel="nofollow">
                    {strings.console}
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

/** Logo: a calendar page with a K. */
function Logo() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect class="mark-page" x="3" y="5" width="26" height="24" rx="5" />
      <path class="mark-band" d="M3 10a5 5 0 0 1 5-5h16a5 5 0 0 1 5 5v2H3z" />
      <path class="mark-letter" d="M12 15v11M12 20.5l7-5.5M13.6 19.4l6 6.6" />
    </svg>
  )
}
