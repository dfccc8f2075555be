import type { BackupOverview } from '#platform/backup/files/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { BackupCard } from '../backups/backup-card.tsx'
import { registerBackupRoutes } from '../backups/backups.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Downloads, registerDownloadRoutes } from './downloads.tsx'

const menu = '/admin/data'

/** Exports and backups. Admins only. */
export function registerExportRoutes(console: AdminRouter): void {
  console.get(menu, [], async context => buildPage(context, (await context.api.get<BackupOverview>('/backups')).body))
  registerDownloadRoutes(console)
  registerBackupRoutes(console)
}

function buildPage(context: AdminContext, overview: BackupOverview): AdminPage {
  const strings = getMessages('export', context.language)
  return {
    title: strings.title,
    menu,
    scripts: ['copy', 'upload', ...(overview.running === null ? [] : ['import'])],
    body: (
      <div class="narrow data">
        <p class="lead">{strings.lead}</p>
        <BackupCard context={context} overview={overview} />
        <Downloads context={context} />
        <section class="card" aria-labelledby="bring-in">
          <h2 id="bring-in">{strings.importTitle}</h2>
          <p>{strings.importText}</p>
          <a class="button quiet" href="/admin/imports">
            {strings.toImport}
          </a>
        </section>
      </div>
    )
  }
}
