import { shortMoment } from '../../format.ts'
import { accountsWords } from '../../text/accounts.ts'
import { frameWords } from '../../text/frame.ts'
import type { ConsolePage, Desk } from '../console.ts'

/** Shows a link this once, to copy and pass on. */
export function issuedLinkPage(
  desk: Desk,
  { name, link, expiresAt, mailedTo }: { name: string; link: string; expiresAt: string; mailedTo?: string | undefined }
): ConsolePage {
  const { language, site } = desk
  const words = accountsWords[language]
  const copy = frameWords[language]
  return {
    title: words.issuedTitle(name),
    menu: '/admin/users',
    islands: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{words.issuedOnce}</p>
        <section class="card" aria-label={words.linkLabel}>
          <div class="secret">
            <code id="link">{link}</code>
            <button type="button" class="small" data-copy="#link" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          <p>{words.inviteUntil(shortMoment(language, expiresAt, site.timezone))}</p>
          {mailedTo === undefined ? null : <p>{words.issuedMailed(mailedTo)}</p>}
          <div class="actions">
            <a class="button" href="/admin/users">
              {words.done}
            </a>
          </div>
        </section>
      </div>
    )
  }
}
