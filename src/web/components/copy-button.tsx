import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'

/** Copies the text of a field or element; the page has to load the island `copy`. `of` is a selector: `#address`. */
export function CopyButton({ language, of, label }: { language: Language; of: string; label?: string | undefined }) {
  const strings = getMessages('layout', language)
  return (
    <button type="button" class="quiet small" data-copy={of} data-copied={strings.copied} aria-label={label} hidden>
      {strings.copy}
    </button>
  )
}
