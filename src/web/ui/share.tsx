import type { Language } from '#platform/language.ts'
import { donateWords } from '../text/donate.ts'
import { CopyButton } from './copy-button.tsx'

/** Ways to tell others that tell nobody else: a mail, and the address itself. Once a page, with the island `copy`. */
export function Share({ language, name, address }: { language: Language; name: string; address: string }) {
  const words = donateWords[language]
  const subject = encodeURIComponent(words.shareSubject(name))
  const body = encodeURIComponent(words.shareBody(name, address))
  return (
    <section class="share no-print">
      <h2>{words.share}</h2>
      <p class="faded">{words.shareLead}</p>
      <label for="share-address" class="visually-hidden">
        {words.shareAddress}
      </label>
      <div class="share-address">
        <input id="share-address" type="text" readOnly value={address} spellcheck={false} />
        <CopyButton language={language} of="#share-address" />
      </div>
      <p>
        <a class="button quiet small" href={`mailto:?subject=${subject}&body=${body}`}>
          {words.shareMail}
        </a>
      </p>
    </section>
  )
}
