import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { PageLink } from '#platform/pages/schema.ts'
import { getPath } from './paths.ts'
import type { SiteSettings } from './site-settings.ts'

export interface MenuLink {
  id: number
  href: string
  title: string
}

/** Links of a menu. About us, legal notice and privacy exist in every language, other pages where they have a text. */
export function listMenuLinks(
  { pages }: Pick<SiteSettings, 'pages'>,
  language: Language,
  place: PageLink['place']
): MenuLink[] {
  return pages.flatMap(page => {
    const href = getPagePath(page, language)
    if (page.place !== place || href === undefined) return []
    const title = page.texts[language]?.title ?? (page.kind === null ? '' : getMessages('layout', language)[page.kind])
    return [{ id: page.id, href, title }]
  })
}

/** Undefined in a language in which the page has no text. */
export function getPagePath({ kind, texts }: Pick<PageLink, 'kind' | 'texts'>, language: Language): string | undefined {
  if (kind !== null) return getPath(kind, language)
  const text = texts[language]
  return text === undefined ? undefined : getPath('page', language, text.slug)
}
