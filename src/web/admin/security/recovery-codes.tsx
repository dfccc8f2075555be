import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { securityPath } from '../shared/security-paths.ts'

/** Shows the recovery codes, this once only. */
export function buildRecoveryCodesPage(context: AdminContext, codes: string[]): AdminPage {
  const strings = getMessages('second-factor', context.language).codes
  return {
    title: strings.newTitle,
    body: (
      <div class="narrow">
        <p class="notice good" role="status">
          {getMessages('second-factor', context.language).protectedNow}
        </p>
        <p class="lead">{strings.newText}</p>
        <ul class="recovery-codes card" aria-label={strings.list}>
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <a class="button" href={securityPath}>
          {strings.saved}
        </a>
      </div>
    )
  }
}
