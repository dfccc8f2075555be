import type { Activity } from '#platform/activity/schema.ts'
import { formatDateTime, formatNumber, formatRelativeTime } from '../../format/format.ts'
import { layoutStrings } from '../../strings/layout.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { BackupNotice, findLastBackups, type LastBackups } from './backup-notices.tsx'
import { Downloads, registerDownloadRoutes } from './downloads.tsx'
import { exportStrings } from './strings.ts'

const menu = '/admin/data'
/** Warn after this many days without a backup. */
const backupDaysMax = 7
const dayMs = 86_400_000

/** Exports and backups. Admins only. */
export function registerExportRoutes(console: AdminRouter): void {
  console.get(menu, [], async context => buildPage(context, await findLastBackups(context)))
  registerDownloadRoutes(console)
}

function buildPage(context: AdminContext, { taken, failed }: LastBackups): AdminPage {
  const strings = exportStrings[context.language]
  return {
    title: strings.title,
    menu,
    scripts: ['copy'],
    body: (
      <div class="narrow data">
        <p class="lead">{strings.lead}</p>
        <Downloads context={context} />
        <section class="card" aria-labelledby="backup">
          <h2 id="backup">{strings.backup}</h2>
          <LastBackup context={context} last={taken} />
          <BackupNotice context={context} failed={failed} />
          <p>{strings.backupText}</p>
          <p>{strings.scheduleText}</p>
          <Command context={context} id="take" label={strings.backupCommand} line="./kalends backup" />
          <Command
            context={context}
            id="check"
            label={strings.checkCommand}
            line="./kalends restore kalends-2027-01-31T0300Z.backup --check"
          />
          <Command
            context={context}
            id="restore"
            label={strings.restoreCommand}
            line="./kalends restore kalends-2027-01-31T0300Z.backup"
          />
          <p class="hint">{strings.passwords}</p>
        </section>
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

function LastBackup({ context, last }: { context: AdminContext; last: Activity | undefined }) {
  const { language, now, site } = context
  const strings = exportStrings[language]
  if (last === undefined) return <p class="notice warn">{strings.never}</p>
  const since = formatRelativeTime(language, last.at, now)
  const isOld = now.getTime() - Date.parse(last.at) > backupDaysMax * dayMs
  const { rows, bytes } = last.details
  return (
    <div class={`notice ${isOld ? 'warn' : 'good'}`}>
      <p>{isOld ? strings.lastOld(since) : strings.last(since, formatDateTime(language, last.at, site.timezone))}</p>
      {typeof rows === 'number' && typeof bytes === 'number' ? (
        <p>{strings.size(formatNumber(language, rows), formatNumber(language, Math.ceil(bytes / 100_000) / 10))}</p>
      ) : null}
    </div>
  )
}

/** A shell command with a copy button. */
function Command({ context, id, label, line }: { context: AdminContext; id: string; label: string; line: string }) {
  const copy = layoutStrings[context.language]
  return (
    <div class="command">
      <p id={`${id}-label`}>{label}</p>
      <div class="secret">
        <code id={id}>{line}</code>
        <button
          type="button"
          class="small quiet"
          data-copy={`#${id}`}
          data-copied={copy.copied}
          aria-describedby={`${id}-label`}
          hidden
        >
          {copy.copy}
        </button>
      </div>
    </div>
  )
}
