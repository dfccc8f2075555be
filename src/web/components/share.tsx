import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CopyButton } from './copy-button.tsx'

/**
 * Shares a page without a third party: the sharing of the device where it has one, the URL to copy, and e-mail. Once per
 * page. Without scripts the URL is a field to read and to copy from.
 */
export function Share({
  language,
  kind,
  name,
  address
}: {
  language: Language
  kind: 'campaign' | 'event'
  name: string
  address: string
}) {
  const strings = getMessages('share', language)
  const { title, lead, subject, body } = strings[kind]
  const mail = `mailto:?subject=${encodeURIComponent(subject({ name }))}&body=${encodeURIComponent(body({ name, address }))}`
  return (
    <section class="share no-print">
      <h2>{title}</h2>
      <p class="muted">{lead}</p>
      <label for="share-address" class="visually-hidden">
        {strings.address}
      </label>
      <div class="share-address">
        <input id="share-address" type="text" readOnly value={address} spellcheck={false} />
        <CopyButton language={language} of="#share-address" />
      </div>
      <p class="actions">
        <button type="button" class="small" data-share={address} data-title={name} hidden>
          {strings.native}
        </button>
        <a class="button quiet small" href={mail}>
          {strings.mail}
        </a>
      </p>
    </section>
  )
}
