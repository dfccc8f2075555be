import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toErrorStatus } from '../../page/error-page.tsx'
import { renderHtml } from '../../page/page.ts'
import type { SiteSettings } from '../../server/site-settings.ts'
import { AdminLayout } from './layout.tsx'

/** A page of the console that the server could not make, rendered without any API call: the user is not known. */
export function renderFailurePage(site: SiteSettings, language: Language, status: number, retry?: string): string {
  const strings = getMessages('layout', language)
  const { title, text } = strings.failure[toErrorStatus(status)]
  const page = {
    title,
    status,
    body: (
      <>
        <p class="lead">{text}</p>
        <p>{getMessages('admin', language).unavailable}</p>
        <p class="actions">
          {retry === undefined ? null : (
            <a class="button" href={retry}>
              {strings.tryAgain}
            </a>
          )}
          <a class="button quiet" href="/admin">
            {getMessages('admin', language).toDashboard}
          </a>
        </p>
      </>
    )
  }
  return renderHtml(AdminLayout({ site, language, page }))
}
