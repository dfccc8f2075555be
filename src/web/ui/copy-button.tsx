import type { Language } from '#platform/language.ts'
import { frameWords } from '../text/frame.ts'

/** Copies what a field or an element says; pages with it name the island `copy`. `of` is where: `#address`. */
export function CopyButton({ language, of, label }: { language: Language; of: string; label?: string | undefined }) {
  const words = frameWords[language]
  return (
    <button type="button" class="quiet small" data-copy={of} data-copied={words.copied} aria-label={label} hidden>
      {words.copy}
    </button>
  )
}
