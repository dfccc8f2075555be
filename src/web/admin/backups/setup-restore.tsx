import type { Backup, BackupOverview } from '#platform/backup/files/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import type { AdminPage, AdminRouter } from '../shared/context.ts'
import { toFormErrors } from '../shared/form.tsx'
import { setupRestorePath } from './backup-paths.ts'
import { findTakenAt } from './backups.tsx'
import { buildRestoreWait, isRestoreAwaited } from './restore-wait.tsx'
import { sendUpload, uploadFormBytesMax } from './upload.ts'
import { UploadForm } from './upload-form.tsx'

/** First run: continues with the backup of an earlier installation, instead of a new site. */
export function registerSetupRestoreRoutes(pages: AdminRouter): void {
  pages.public(setupRestorePath, show, take, {
    bodyBytesMax: uploadFormBytesMax,
    // Only the setup token may send more than a visitor.
    mayUpload: async context => (await findOverview(context)) !== undefined
  })
}

const getToken = ({ query }: PageContext) => query.token ?? ''
const getCredentials = (context: PageContext) => ({ authorization: `Bearer ${getToken(context)}` })

/** Undefined if the setup token is not valid. */
async function findOverview(context: PageContext): Promise<BackupOverview | undefined> {
  const call = { method: 'GET', path: '/backups', headers: getCredentials(context) } as const
  const { status, text } = await context.api.raw(call)
  return status === 200 ? JSON.parse(text) : undefined
}

async function show(context: PageContext): Promise<AdminPage | Redirect> {
  const { body } = await context.api.get<{ needed: boolean }>('/setup')
  // The restored data has users: the restore was successful.
  if (!body.needed) return redirect(`/admin/sign-in${context.query.since === undefined ? '' : '?restored=yes'}`, 303)
  const overview = await findOverview(context)
  if (overview === undefined) return redirect('/admin/setup', 303)
  if (isRestoreAwaited(context, overview)) {
    return buildRestoreWait(
      context,
      withQuery(setupRestorePath, { token: getToken(context), since: context.query.since })
    )
  }
  const failure = overview.lastRestore?.failure ?? undefined
  const strings = getMessages('backup', context.language)
  return buildUploadPage(context, failure === undefined ? undefined : strings.notRestored({ reason: failure }))
}

async function take(context: PageContext): Promise<AdminPage | Redirect> {
  if ((await findOverview(context)) === undefined) return redirect('/admin/setup', 303)
  const name = getFormField(context, 'name')
  try {
    if (name !== '') return await restore(context, name)
    const backup = await sendUpload(context, getCredentials(context))
    if (backup === 'missing') return buildUploadPage(context, getMessages('backup', context.language).fileMissing)
    // The script sends further pieces; it does not show this page.
    return backup === undefined ? buildPieceReceived(context) : buildQuestion(context, backup)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { fields, general } = toFormErrors(error)
    return buildUploadPage(context, general ?? Object.values(fields).join(' '))
  }
}

/** Tells the script to go on. */
function buildPieceReceived(context: PageContext): AdminPage {
  context.reply.header('x-upload', 'continues')
  return { title: getMessages('backup', context.language).uploading, body: null }
}

async function restore(context: PageContext, name: string): Promise<AdminPage> {
  const since = String(Date.now())
  await context.api.post(`/backups/${encodeURIComponent(name)}/restore`, undefined, getCredentials(context))
  return buildRestoreWait(context, withQuery(setupRestorePath, { token: getToken(context), since }))
}

function buildUploadPage(context: PageContext, error: string | undefined): AdminPage {
  const strings = getMessages('backup', context.language)
  return {
    title: strings.setupTitle,
    status: error === undefined ? 200 : 422,
    scripts: ['console', 'upload'],
    body: (
      <>
        <p class="lead">{strings.setupLead}</p>
        <div class="card">
          <p>{strings.key}</p>
          <UploadForm
            language={context.language}
            action={withQuery(setupRestorePath, { token: getToken(context) })}
            error={error}
          />
        </div>
        <p>
          <a href={withQuery('/admin/setup', { token: getToken(context) })}>{strings.setupBack}</a>
        </p>
      </>
    )
  }
}

function buildQuestion(context: PageContext, backup: Backup): AdminPage {
  const { language, site } = context
  const strings = getMessages('backup', language)
  return {
    title: strings.setupTitle,
    body: (
      <>
        <p class="lead">
          {strings.setupComplete({ moment: formatDateTime(language, findTakenAt(backup), site.timezone) })}
        </p>
        <form method="post" action={withQuery(setupRestorePath, { token: getToken(context) })}>
          <input type="hidden" name="name" value={backup.name} />
          <button type="submit" class="large">
            {strings.setupConfirm}
          </button>
        </form>
        <p>
          <a href={withQuery('/admin/setup', { token: getToken(context) })}>{strings.setupBack}</a>
        </p>
      </>
    )
  }
}
