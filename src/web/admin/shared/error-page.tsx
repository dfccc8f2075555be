import type { Language } from '#platform/language.ts'
import { adminStrings } from '../../strings/admin.ts'
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
            {adminStrings[language].toDashboard}
          </a>
        </p>
      </>
    )
  }
}
