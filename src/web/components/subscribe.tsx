import type { Language } from '#platform/language.ts'
import { calendarStrings } from '../strings/calendar.ts'
import { CopyButton } from './copy-button.tsx'

/** Island that a page with this box can load. Calendar pages load no scripts. */
export const subscribeScript = 'copy'

/** Calendar subscription: links for common programs, URL and file. Once per page. */
export function Subscribe({
  language,
  origin,
  feed,
  only = []
}: {
  language: Language
  origin: string
  /** The path of the feed with its filters, such as `/de/events.ics?categories=3`. */
  feed: string
  /** Names of the feed's filters. */
  only?: string[] | undefined
}) {
  const strings = calendarStrings[language].subscribe
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
        <span class="subscribe-lead">{only.length === 0 ? strings.lead : strings.only(only.join(', '))}</span>
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
        <CopyButton language={language} of="#subscribe-address" />
      </div>
      <p class="hint">{strings.hint}</p>
    </details>
  )
}
