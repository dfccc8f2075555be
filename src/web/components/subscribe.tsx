import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CopyButton } from './copy-button.tsx'

/** Island of the button that copies the URL. */
export const subscribeScript = 'copy'

/**
 * Calendar subscription: links for common programs, URL and file. Once per page. `isCopied` adds a button that copies the
 * URL, for pages that load its island; calendar pages load no scripts, so that the URL there is a field to select from.
 */
export function Subscribe({
  language,
  origin,
  feed,
  only = [],
  isCopied
}: {
  language: Language
  origin: string
  /** The path of the feed with its filters, such as `/de/events.ics?categories=3`. */
  feed: string
  /** Names of the feed's filters. */
  only?: string[] | undefined
  isCopied: boolean
}) {
  const strings = getMessages('calendar', language).subscribe
  const address = origin + feed
  const webcal = address.replace(/^https?:/, 'webcal:')
  const programs: [string, string][] = [
    [strings.apple, webcal],
    [strings.google, `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`],
    [strings.outlook, `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`],
    [strings.office, `https://outlook.office.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`],
    [strings.download, feed]
  ]
  return (
    <details class="subscribe no-print">
      <summary>
        <span class="subscribe-title">{strings.title}</span>
        <span class="subscribe-lead">
          {only.length === 0 ? strings.lead : strings.only({ names: only.join(', ') })}
        </span>
      </summary>
      <ul class="subscribe-programs">
        {programs.map(([name, href]) => (
          <li key={name}>
            <a class="button quiet small" href={href} rel="nofollow">
              {name}
            </a>
          </li>
        ))}
      </ul>
      <label for="subscribe-address">{strings.address}</label>
      <div class="subscribe-address">
        <input id="subscribe-address" type="text" readOnly value={address} spellcheck={false} />
        {isCopied ? <CopyButton language={language} of="#subscribe-address" /> : null}
      </div>
      <p class="hint">{strings.hint}</p>
    </details>
  )
}
