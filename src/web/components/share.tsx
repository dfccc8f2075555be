import type { Language } from '#platform/language.ts'
import { donateStrings } from '../strings/donate.ts'
import { CopyButton } from './copy-button.tsx'

/** Share links that involve no third party: e-mail, and the URL to copy. Once per page, with the island `copy`. */
export function Share({ language, name, address }: { language: Language; name: string; address: string }) {
  const strings = donateStrings[language]
  const subject = encodeURIComponent(strings.shareSubject(name))
  const body = encodeURIComponent(strings.shareBody(name, address))
  return (
    <section class="share no-print">
      <h2>{strings.share}</h2>
      <p class="faded">{strings.shareLead}</p>
      <label for="share-address" class="visually-hidden">
        {strings.shareAddress}
      </label>
      <div class="share-address">
        <input id="share-address" type="text" readOnly value={address} spellcheck={false} />
        <CopyButton language={language} of="#share-address" />
      </div>
      <p>
        <a class="button quiet small" href={`mailto:?subject=${subject}&body=${body}`}>
          {strings.shareMail}
        </a>
      </p>
    </section>
  )
}
