import type { ComponentChildren } from 'preact'
import { type Language, otherLanguage, type Text } from '#platform/language.ts'
import type { Page, Pages } from '../page.ts'
import { pathTo } from '../paths.ts'
import { frameWords } from '../text/frame.ts'
import { textWords } from '../text/texts.ts'
import { langOf } from '../ui/event-lines.tsx'
import { MailLink } from '../ui/mail-link.tsx'
import { TypedText } from '../ui/typed-text.tsx'
import type { Visit } from '../visit.ts'

type Name = 'about' | 'imprint' | 'privacy'

/** What the organisation says of itself. */
export function textPages(pages: Pages): void {
  for (const name of ['about', 'imprint', 'privacy'] as const) {
    pages.add(name, async visit => textPage(visit, name))
  }
}

function textPage(visit: Visit, name: Name): Page {
  const { language, site } = visit
  const words = textWords[language]
  const written = writtenIn(site[name], language)
  const { title } = words[name]
  return {
    title,
    ...(name === 'about' ? { menu: 'about' as const } : {}),
    twins: { en: pathTo(name, 'en'), de: pathTo(name, 'de') },
    noindex: written === undefined && name !== 'privacy',
    body: (
      <div class="prose text-page">
        <h1>{title}</h1>
        {written === undefined ? (
          defaults[name](visit)
        ) : (
          <>
            {written.language === language ? null : <p class="other-language">{words.onlyOther}</p>}
            <div lang={langOf(visit, written.language)}>
              <TypedText text={written.text} />
            </div>
          </>
        )}
      </div>
    )
  }
}

/** In the language of the page, else in the other. */
function writtenIn(texts: Text, language: Language): { text: string; language: Language } | undefined {
  for (const one of [language, otherLanguage(language)]) {
    if (texts[one].trim() !== '') return { text: texts[one], language: one }
  }
  return undefined
}

const defaults: Record<Name, (visit: Visit) => ComponentChildren> = {
  about: ({ language, site }) => (
    <>
      <p class="lead">{textWords[language].about.missing(site.name)}</p>
      <p class="actions">
        <a class="button quiet" href={pathTo('calendar', language)}>
          {frameWords[language].toCalendar}
        </a>
      </p>
    </>
  ),
  imprint: ({ language, site }) => (
    <>
      <p class="lead">{textWords[language].imprint.missing(site.name)}</p>
      <Mail label={textWords[language].imprint.write} address={site.contactEmail} />
    </>
  ),
  privacy: ({ language, site }) => {
    const { lead, sections, controller, write } = textWords[language].privacy
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
          <a href={pathTo('imprint', language)}>{controller}</a>
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
