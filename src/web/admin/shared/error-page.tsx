import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminPage } from './context.ts'

/** Error page with a link back. */
export function buildErrorPage(
  language: Language,
  { title, text }: { title: string; text: string },
  status: number
): AdminPage {
  return {
    title,
    status,
    body: (
      <>
        <p class="lead">{text}</p>
        <p>
          <a class="button quiet" href="/admin">
            {getMessages('admin', language).toDashboard}
          </a>
        </p>
      </>
    )
  }
}
