import { hasUploadedLogo } from '../pictures/icons.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { getThemePath } from '../server/theme.ts'

/** Colours and icons of the organisation, in the head of every page. */
export function BrandLinks({ site }: { site: SiteSettings }) {
  const theme = getThemePath(site)
  return (
    <>
      {theme === undefined ? null : <link rel="stylesheet" href={theme} />}
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      {hasUploadedLogo(site) ? (
        <link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192" />
      ) : (
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      )}
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/site.webmanifest" />
    </>
  )
}
