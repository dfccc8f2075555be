import { secondFactorWords } from '../../text/second-factor.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { securityPath } from './path.ts'

/** The one time that they are shown. */
export function codesPage(desk: Desk, codes: string[]): ConsolePage {
  const words = secondFactorWords[desk.language].codes
  return {
    title: words.newTitle,
    body: (
      <div class="narrow">
        <p class="notice good" role="status">
          {secondFactorWords[desk.language].protectedNow}
        </p>
        <p class="lead">{words.newText}</p>
        <ul class="recovery-codes card" aria-label={words.list}>
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <a class="button" href={securityPath}>
          {words.saved}
        </a>
      </div>
    )
  }
}
