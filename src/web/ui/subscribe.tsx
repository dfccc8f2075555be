import type { Language } from '#platform/language.ts'
import { calendarWords } from '../text/calendar.ts'
import { CopyButton } from './copy-button.tsx'

/** The script that a page with this box may name in its `islands`. Calendar pages go without any script. */
export const subscribeIsland = 'copy'

/** A calendar to subscribe to: for the common programs, as an address and as a file. Once a page. */
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
  /** What the feed is narrowed to, by name. */
  only?: string[] | undefined
}) {
  const words = calendarWords[language].subscribe
  const address = origin + feed
  const webcal = address.replace(/^https?:/, 'webcal:')
  const programs: [string, string][] = [
    [words.apple, webcal],
    [words.google, `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`],
    [words.outlook, `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`],
    [words.office, `https://outlook.office.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`],
    [words.download, feed]
  ]
  return (
    <details class="subscribe no-print">
      <summary>
        <span class="subscribe-title">{words.title}</span>
        <span class="subscribe-lead">{only.length === 0 ? words.lead : words.only(only.join(', '))}</span>
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
      <label for="subscribe-address">{words.address}</label>
      <div class="subscribe-address">
        <input id="subscribe-address" type="text" readOnly value={address} spellcheck={false} />
        <CopyButton language={language} of="#subscribe-address" />
      </div>
      <p class="hint">{words.hint}</p>
    </details>
  )
}
