import type { ComponentChildren } from 'preact'
import { getOtherLanguage, type Language, type Text } from '#platform/language.ts'
import { getLangAttribute } from '../../components/event-lines.tsx'
import { MailLink } from '../../components/mail-link.tsx'
import { PlainText } from '../../components/plain-text.tsx'
import type { Page, PageRouter } from '../../page/page.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { layoutStrings } from '../../strings/layout.ts'
import { textPageStrings } from './strings.ts'

type Name = 'about' | 'imprint' | 'privacy'

/** Pages with texts of the organisation. */
export function registerTextRoutes(pages: PageRouter): void {
  for (const name of ['about', 'imprint', 'privacy'] as const) {
    pages.add(name, async context => showText(context, name))
  }
}

function showText(context: PageContext, name: Name): Page {
  const { language, site } = context
  const strings = textPageStrings[language]
  const written = findText(site[name], language)
  const { title } = strings[name]
  return {
    title,
    ...(name === 'about' ? { menu: 'about' as const } : {}),
    alternates: { en: getPath(name, 'en'), de: getPath(name, 'de') },
    noindex: written === undefined && name !== 'privacy',
    body: (
      <div class="prose text-page">
        <h1>{title}</h1>
        {written === undefined ? (
          defaults[name](context)
        ) : (
          <>
            {written.language === language ? null : <p class="other-language">{strings.onlyOther}</p>}
            <div lang={getLangAttribute(context, written.language)}>
              <PlainText text={written.text} />
            </div>
          </>
        )}
      </div>
    )
  }
}

/** The text in the page's language, else in the other. */
function findText(texts: Text, language: Language): { text: string; language: Language } | undefined {
  for (const one of [language, getOtherLanguage(language)]) {
    if (texts[one].trim() !== '') return { text: texts[one], language: one }
  }
  return undefined
}

const defaults: Record<Name, (context: PageContext) => ComponentChildren> = {
  about: ({ language, site }) => (
    <>
      <p class="lead">{textPageStrings[language].about.missing(site.name)}</p>
      <p class="actions">
        <a class="button quiet" href={getPath('calendar', language)}>
          {layoutStrings[language].toCalendar}
        </a>
      </p>
    </>
  ),
  imprint: ({ language, site }) => (
    <>
      <p class="lead">{textPageStrings[language].imprint.missing(site.name)}</p>
      <Mail label={textPageStrings[language].imprint.write} address={site.contactEmail} />
    </>
  ),
  privacy: ({ language, site }) => {
    const { lead, sections, controller, write } = textPageStrings[language].privacy
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
