import type { Language } from '#platform/language.ts'
import { listMenuLinks } from '../server/site-pages.ts'
import type { SiteSettings } from '../server/site-settings.ts'

/** Entries of a menu that lead to pages of the organisation. */
export function PageLinks({
  site,
  language,
  place,
  current
}: {
  site: SiteSettings
  language: Language
  place: 'header' | 'footer'
  /** Path of the page that is shown. */
  current: string | undefined
}) {
  return (
    <>
      {listMenuLinks(site, language, place).map(({ id, href, title }) => (
        <li key={id}>
          <a href={href} dir="auto" {...(href === current ? { 'aria-current': 'page' as const } : {})}>
            {title}
          </a>
        </li>
      ))}
    </>
  )
}
