import type { BackupOverview } from '#platform/backup/files/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { PageContext } from '../../server/context.ts'
import type { AdminPage } from '../shared/context.ts'

/** A server that still answers after this does not restore anything. */
const waitMs = 60_000

/** Whether the restore that was requested at this time has neither succeeded nor failed yet. */
export function isRestoreAwaited({ query, now }: PageContext, { lastRestore }: BackupOverview): boolean {
  const since = Number(query.since)
  if (!(since > now.getTime() - waitMs)) return false
  return lastRestore === null || Date.parse(lastRestore.at) < since
}

/** Shown while a backup is restored. Not a redirect: the server that would answer it is about to stop. */
export function buildRestoreWait(context: PageContext, next: string): AdminPage {
  const strings = getMessages('backup', context.language)
  return {
    title: strings.restoring,
    status: 202,
    scripts: ['import'],
    refresh: { seconds: 4, path: next },
    body: (
      <div class="narrow">
        <p class="lead">{strings.restoringText}</p>
        <p>{strings.signIn}</p>
        <div data-live data-next={next}>
          <p id="restore-running">{strings.restoring}</p>
          <progress aria-labelledby="restore-running" />
        </div>
        <p data-without-script>
          <a class="button quiet" href={next}>
            {strings.refresh}
          </a>
        </p>
      </div>
    )
  }
}
