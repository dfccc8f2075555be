import type { Activity } from '#platform/activity/schema.ts'
import { formatDateTime } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { exportStrings } from './strings.ts'

/** The newest backup, and a failure of the schedule if no backup was taken since. */
export interface LastBackups {
  taken: Activity | undefined
  failed: Activity | undefined
}

/** Admins only. */
export async function findLastBackups({ api }: AdminContext): Promise<LastBackups> {
  const [taken, failed] = await Promise.all(
    ['backup.taken', 'backup.failed'].map(
      async action => (await api.get<Activity[]>('/activity', { action, limit: 1 })).body[0]
    )
  )
  const isOver = failed === undefined || (taken !== undefined && Date.parse(taken.at) > Date.parse(failed.at))
  return { taken, failed: isOver ? undefined : failed }
}

/** On the dashboard, and on the page of backups. */
export function BackupNotice({ context, failed }: { context: AdminContext; failed: Activity | undefined }) {
  if (failed === undefined) return null
  const { language, site } = context
  const strings = exportStrings[language]
  return (
    <p class="notice bad">
      {strings.failed(formatDateTime(language, failed.at, site.timezone), String(failed.details.reason ?? ''))}{' '}
      <a href="/admin/data">{strings.title}</a>
    </p>
  )
}
