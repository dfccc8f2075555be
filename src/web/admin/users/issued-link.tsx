import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'

/** Shows a link this once, to copy and send. */
export function buildIssuedLinkPage(
  context: AdminContext,
  { name, link, expiresAt, mailedTo }: { name: string; link: string; expiresAt: string; mailedTo?: string | undefined }
): AdminPage {
  const { language, site } = context
  const strings = getMessages('accounts', language)
  const copy = getMessages('layout', language)
  return {
    title: strings.issuedTitle({ name }),
    menu: '/admin/users',
    scripts: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{strings.issuedOnce}</p>
        <section class="card" aria-label={strings.linkLabel}>
          <div class="secret">
            <code id="link">{link}</code>
            <button type="button" class="small" data-copy="#link" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          <p>{strings.inviteUntil({ until: formatDateTime(language, expiresAt, site.timezone) })}</p>
          {mailedTo === undefined ? null : <p>{strings.issuedMailed({ email: mailedTo })}</p>}
          <div class="actions">
            <a class="button" href="/admin/users">
              {strings.done}
            </a>
          </div>
        </section>
      </div>
    )
  }
}
