import type { BackupOverview } from '#platform/backup/files/schema.ts'
import { getLanguageValues } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Release } from '#platform/release/schema.ts'
import { formatRelativeTime } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { isBackupOld } from '../backups/backup-card.tsx'
import type { AdminContext } from '../shared/context.ts'
import type { Overview } from './dashboard.tsx'
import { Part } from './dashboard-parts.tsx'

interface Task {
  text: string
  href: string
  /** Something has failed. */
  isBad?: boolean
}

/** What to do today, by role: each line has a number and leads to the page where it is done. */
export function Tasks({ context, overview }: { context: AdminContext; overview: Overview }) {
  const strings = getMessages('dashboard', context.language).tasks
  if (!context.hasRole('editor', 'treasurer')) return null
  const tasks = [...listMoneyTasks(context, overview), ...listCalendarTasks(context, overview)]
  const all = [...tasks, ...listBackupTasks(context, overview.backups), ...listReleaseTasks(context, overview.release)]
  return (
    <Part id="tasks" title={strings.title} look="tasks">
      {all.length === 0 ? (
        <p class="muted">{strings.none}</p>
      ) : (
        <ul>
          {all.map(({ text, href, isBad }) => (
            <li key={text} class={isBad === true ? 'bad' : undefined}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function listMoneyTasks({ language }: AdminContext, { money, treasurer }: Overview): Task[] {
  const strings = getMessages('dashboard', language).tasks
  const tasks: Task[] = []
  const add = (count: number, say: (values: { count: number }) => string, href: string) => {
    if (count > 0) tasks.push({ text: say({ count }), href })
  }
  if (treasurer !== undefined) {
    const [only, ...others] = treasurer.statementsToMatch
    const statement = only === undefined || others.length > 0 ? '' : `/${only}`
    add(treasurer.transactionsToMatch, strings.match, `/admin/statements${statement}`)
    if (treasurer.donorsWithoutReceipt > 0) {
      const donors = strings.donors({ count: treasurer.donorsWithoutReceipt })
      const { receiptYear: year } = treasurer
      tasks.push({
        text: strings.receipts({ year: String(year), donors }),
        href: treasurer.missingForReceipts.length > 0 ? '/admin/organisation' : `/admin/receipts/preview?year=${year}`
      })
    }
  }
  add(money?.review.total ?? 0, strings.review, withQuery('/admin/donations', { review: 'waiting' }))
  add(money?.messages.total ?? 0, strings.messages, withQuery('/admin/donations', { messageReview: 'waiting' }))
  return tasks
}

function listCalendarTasks({ language, menuCounts, hasRole }: AdminContext, overview: Overview): Task[] {
  const strings = getMessages('dashboard', language).tasks
  const tasks: Task[] = []
  const suggestions = menuCounts['/admin/suggestions'] ?? 0
  if (suggestions > 0) {
    tasks.push({ text: strings.suggestions({ count: suggestions }), href: '/admin/suggestions' })
  }
  for (const missing of hasRole('editor') ? (overview.missing ?? []) : []) {
    if (missing.count === 0) continue
    const href = withQuery('/admin/events', { show: `without-${missing.language}` })
    tasks.push({
      text: strings.translations({ ...getLanguageValues(missing.language, language), count: missing.count }),
      href
    })
  }
  return tasks
}

/** For admins: no backup, an old one, or one that failed. */
function listBackupTasks({ language, now }: AdminContext, backups: BackupOverview | undefined): Task[] {
  if (backups === undefined) return []
  const strings = getMessages('dashboard', language).tasks
  const href = '/admin/data#backup'
  const { lastAt, failure, maxAgeDays } = backups
  if (failure !== null) return [{ text: strings.backupFailed({ reason: failure.reason }), href, isBad: true }]
  if (lastAt === null) return maxAgeDays > 0 ? [{ text: strings.backupNever, href }] : []
  return isBackupOld(backups, now)
    ? [{ text: strings.backupOld({ ago: formatRelativeTime(language, lastAt, now) }), href }]
    : []
}

/** For admins: a newer release, if the server may ask for one. Leads to the backup, the first step of an update. */
function listReleaseTasks({ language }: AdminContext, release: Release | undefined): Task[] {
  if (release === undefined || release.newest === null || !release.isUpdateAvailable) return []
  const text = getMessages('dashboard', language).tasks.update({ newest: release.newest, installed: release.version })
  return [{ text, href: '/admin/data#backup' }]
}
