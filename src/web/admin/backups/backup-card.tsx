import type { Backup, BackupOverview } from '#platform/backup/files/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber, formatRelativeTime } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { backupsPath } from './backup-paths.ts'
import { UploadForm } from './upload-form.tsx'

const dayMs = 86_400_000

/** State of the backups, and everything that an admin can do with them. */
export function BackupCard({ context, overview }: { context: AdminContext; overview: BackupOverview }) {
  const { language } = context
  const strings = getMessages('backup', language)
  const { running, schedule } = overview
  return (
    <section class="card" aria-labelledby="backup">
      <h2 id="backup">{strings.title}</h2>
      <BackupState context={context} overview={overview} />
      <p>{strings.text}</p>
      <p>
        {schedule === null
          ? strings.noSchedule
          : strings.schedule({
              time: schedule.time,
              days: schedule.keepDays,
              months: schedule.keepMonths
            })}{' '}
        {schedule?.isCopied === true ? strings.isCopied : ''}
      </p>
      {running === null ? (
        <ActionButton context={context} action={backupsPath} label={strings.create} look="" />
      ) : (
        <RunningBackup context={context} running={running} />
      )}
      <h3>{strings.list}</h3>
      <BackupTable context={context} overview={overview} />
      <p class="hint data-note">
        {strings.kept} {strings.passwords} {strings.key}
      </p>
      <details>
        <summary>{strings.upload}</summary>
        <p>{strings.uploadText}</p>
        <UploadForm language={language} action={`${backupsPath}/uploads`}>
          <input type="hidden" name="_token" value={context.formToken} />
        </UploadForm>
      </details>
      <CommandLine context={context} />
    </section>
  )
}

/** Age of the last backup, and what failed since. */
function BackupState({ context, overview }: { context: AdminContext; overview: BackupOverview }) {
  const { language, now, site } = context
  const strings = getMessages('backup', language)
  const { lastAt, failure, maxAgeDays } = overview
  const since = lastAt === null ? '' : formatRelativeTime(language, lastAt, now)
  const isOld = isBackupOld(overview, now)
  return (
    <>
      {failure === null ? null : (
        <p class="notice bad">
          {strings.failed({ moment: formatDateTime(language, failure.at, site.timezone), reason: failure.reason })}
        </p>
      )}
      <p class={`notice ${isOld || (lastAt === null && maxAgeDays > 0) ? 'warn' : 'good'}`}>
        {lastAt === null
          ? strings.never
          : isOld
            ? strings.lastOld({ ago: since })
            : strings.last({ ago: since, moment: formatDateTime(language, lastAt, site.timezone) })}
      </p>
    </>
  )
}

export function isBackupOld({ lastAt, maxAgeDays }: BackupOverview, now: Date): boolean {
  return lastAt !== null && maxAgeDays > 0 && now.getTime() - Date.parse(lastAt) > maxAgeDays * dayMs
}

/** The part that the island refreshes. */
function RunningBackup({
  context,
  running
}: {
  context: AdminContext
  running: NonNullable<BackupOverview['running']>
}) {
  const strings = getMessages('backup', context.language)
  const { bytes, expectedBytes } = running
  return (
    <div data-live>
      <p id="backup-running">{strings.running({ megabytes: formatMegabytes(context, bytes) })}</p>
      <progress
        aria-labelledby="backup-running"
        max={1}
        {...(expectedBytes === null ? {} : { value: Math.min(0.99, bytes / Math.max(1, expectedBytes)) })}
      />
      <p data-without-script>
        <a class="button quiet" href="/admin/data#backup">
          {strings.refresh}
        </a>
      </p>
    </div>
  )
}

function BackupTable({ context, overview }: { context: AdminContext; overview: BackupOverview }) {
  const { language, site } = context
  const strings = getMessages('backup', language)
  const formatMoment = ({ createdAt }: Backup) => formatDateTime(language, createdAt, site.timezone)
  return (
    <Table
      context={context}
      caption={strings.list}
      empty={<p>{strings.none}</p>}
      rows={overview.backups}
      columns={[
        { label: strings.when, isHead: true, cell: formatMoment },
        { label: strings.kind, cell: ({ kind }) => strings.kinds[kind] },
        {
          label: strings.size,
          isNumber: true,
          cell: ({ bytes }) => strings.megabytes({ number: formatMegabytes(context, bytes) })
        },
        {
          label: <span class="visually-hidden">{strings.actions}</span>,
          cell: backup => (
            <div class="actions">
              <ActionButton
                context={context}
                action={`${backupsPath}/${backup.name}/download`}
                label={
                  <>
                    {strings.download}
                    <span class="visually-hidden"> ({formatMoment(backup)})</span>
                  </>
                }
              />
              <a
                class="button small quiet"
                href={`${backupsPath}/${backup.name}/restore`}
                aria-label={strings.restoreOf({ moment: formatMoment(backup) })}
              >
                {strings.restore}
              </a>
            </div>
          )
        }
      ]}
    />
  )
}

function formatMegabytes({ language }: AdminContext, bytes: number): string {
  return formatNumber(language, Math.ceil(bytes / 100_000) / 10)
}

function CommandLine({ context }: { context: AdminContext }) {
  const strings = getMessages('backup', context.language)
  const file = 'kalends-2027-01-31T0300Z.backup'
  return (
    <details>
      <summary>{strings.commandLine}</summary>
      <Command context={context} id="take" label={strings.createCommand} line="./kalends backup" />
      <Command context={context} id="check" label={strings.checkCommand} line={`./kalends restore ${file} --check`} />
      <Command context={context} id="restore" label={strings.restoreCommand} line={`./kalends restore ${file}`} />
    </details>
  )
}

/** A shell command with a copy button. */
function Command({ context, id, label, line }: { context: AdminContext; id: string; label: string; line: string }) {
  const copy = getMessages('layout', context.language)
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
