import type { ComponentChildren } from 'preact'
import { formatLanguageName, type Language, languages, listOtherLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { PageKind, PageText, SitePage } from '#platform/pages/schema.ts'
import { pageKinds } from '#platform/pages/schema.ts'
import { getLangAttribute } from '../../components/event-lines.tsx'
import { encodeMailAddresses, MailLink, removeMailAddresses } from '../../components/mail-link.tsx'
import { RichText, summarizeHtml } from '../../components/rich-text.tsx'
import { buildNotFoundPage } from '../../page/error-page.tsx'
import type { Page, PageRouter } from '../../page/page.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { getPagePath } from '../../server/site-pages.ts'

/** Pages with texts of the organisation. */
export function registerTextRoutes(pages: PageRouter): void {
  for (const kind of pageKinds) {
    pages.add(kind, async context => {
      const found = context.site.pages.find(page => page.kind === kind)
      const page = found === undefined ? undefined : await readPage(context, found.id)
      return buildTextPage(context, page ?? { kind, texts: {} })
    })
  }
  pages.add('page', async context => {
    const { params, language, site } = context
    const found = site.pages.find(({ kind, texts }) => kind === null && texts[language]?.slug === params.page)
    return found === undefined
      ? await buildNotFoundPage(context, { status: 404, code: '' })
      : buildTextPage(context, await readPage(context, found.id))
  })
}

async function readPage({ api }: PageContext, id: number): Promise<SitePage> {
  return (await api.get<SitePage>(`/pages/${id}`)).body
}

/** Also for the preview in the console. */
export function buildTextPage(context: PageContext, page: Pick<SitePage, 'kind' | 'texts'>): Page {
  const { language } = context
  const strings = getMessages('text-page', language)
  const written = findText(page.texts, language)
  const title =
    page.texts[language]?.title ?? (page.kind === null ? (written?.text.title ?? '') : strings[page.kind].title)
  const picture = findPicture(written?.text.content ?? '')
  return {
    title,
    description:
      written === undefined ? undefined : summarizeHtml(removeMailAddresses(written.text.content)) || undefined,
    alternates: Object.fromEntries(languages.map(one => [one, getPagePath(page, one)])),
    noindex: written === undefined && page.kind !== 'privacy',
    ...(picture === undefined ? {} : { image: picture }),
    body: (
      <div class="prose text-page">
        <h1 dir="auto">{title}</h1>
        {written === undefined ? (
          page.kind === null ? null : (
            defaults[page.kind](context)
          )
        ) : (
          <>
            {written.language === language ? null : (
              <p class="other-language">
                {strings.onlyIn({ languageName: formatLanguageName(written.language, language) })}
              </p>
            )}
            <RichText
              html={encodeMailAddresses(written.text.content)}
              lang={getLangAttribute(context, written.language)}
            />
          </>
        )}
      </div>
    )
  }
}

/** The text in the page's language, else in another one. */
function findText(texts: SitePage['texts'], language: Language): { text: PageText; language: Language } | undefined {
  for (const one of [language, ...listOtherLanguages(language)]) {
    const text = texts[one]
    if (text !== undefined && text.content.trim() !== '') return { text, language: one }
  }
  return undefined
}

/** The first picture of the text. The sanitizer writes attributes in double quotes. */
function findPicture(html: string): Page['image'] {
  const start = html.search(/<img\s/)
  const tag = start === -1 ? '' : html.slice(start, html.indexOf('>', start) + 1)
  const url = /\ssrc="(https?:\/\/[^"]+|\/[^"/][^"]*)"/.exec(tag)?.[1]
  const alt = /\salt="([^"]*)"/.exec(tag)?.[1] ?? ''
  return url === undefined ? undefined : { url: decodeAmpersands(url), alt: decodeAmpersands(alt) }
}

const decodeAmpersands = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const defaults: Record<PageKind, (context: PageContext) => ComponentChildren> = {
  about: ({ language, site }) => (
    <>
      <p class="lead">{getMessages('text-page', language).about.missing({ name: site.name })}</p>
      <p class="actions">
        <a class="button quiet" href={getPath('calendar', language)}>
          {getMessages('layout', language).toCalendar}
        </a>
      </p>
    </>
  ),
  imprint: ({ language, site }) => (
    <>
      <p class="lead">{getMessages('text-page', language).imprint.missing({ name: site.name })}</p>
      <Mail label={getMessages('text-page', language).imprint.write} address={site.contactEmail} />
    </>
  ),
  privacy: ({ language, site }) => {
    const { lead, sections, controller, write } = getMessages('text-page', language).privacy
    return (
      <>
        <p class="lead">{lead}</p>
        {sections.map(({ title, paragraphs }) => (
          <section key={title}>
            <h2>{title}</h2>
            {paragraphs.map(text => (
              <p key={text}>{text}</p>
            ))}
          </section>
        ))}
        <p>
          <a href={getPath('imprint', language)}>{controller}</a>
        </p>
        <Mail label={write} address={site.contactEmail} />
      </>
    )
  }
}

function Mail({ label, address }: { label: string; address: string | null }) {
  return address === null ? null : (
    <p>
      {label} <MailLink address={address} />
    </p>
  )
}
