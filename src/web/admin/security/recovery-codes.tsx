import { secondFactorStrings } from '../../strings/second-factor.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { securityPath } from '../shared/security-paths.ts'

/** Shows the recovery codes, this once only. */
export function buildRecoveryCodesPage(context: AdminContext, codes: string[]): AdminPage {
  const strings = secondFactorStrings[context.language].codes
  return {
    title: strings.newTitle,
    body: (
      <div class="narrow">
        <p class="notice good" role="status">
          {secondFactorStrings[context.language].protectedNow}
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
