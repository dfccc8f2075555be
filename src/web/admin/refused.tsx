import type { Language } from '#platform/language.ts'
import { consoleWords } from '../text/console.ts'
import type { ConsolePage } from './console.ts'

/** Says what was not possible, and leads back. */
export function refusedPage(
  language: Language,
  { title, text }: { title: string; text: string },
  status: number
): ConsolePage {
  return {
    title,
    status,
    body: (
      <>
        <p class="lead">{text}</p>
        <p>
          <a class="button quiet" href="/admin">
            {consoleWords[language].toDashboard}
          </a>
        </p>
      </>
    )
  }
}
