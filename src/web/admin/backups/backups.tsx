import { Readable } from 'node:stream'
import type { BackupDownload, BackupOverview, StartedRestore } from '#platform/backup/files/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter, Download } from '../shared/context.ts'
import { toFormErrors } from '../shared/form.tsx'
import { backupsPath, restoreResultPath } from './backup-paths.ts'
import { buildRestoreWait, isRestoreAwaited } from './restore-wait.tsx'
import { sendUpload, uploadFormBytesMax } from './upload.ts'
import { UploadForm } from './upload-form.tsx'

const menu = '/admin/data'
/** Pieces in which a download is read from the API. */
const pieceBytes = 4 * 1024 * 1024

/** Create, download, upload and restore backups. Admins only; the API asks for the password again. */
export function registerBackupRoutes(console: AdminRouter): void {
  console.post(backupsPath, [], async context => {
    await context.api.post('/backups')
    context.flash({ text: getMessages('backup', context.language).started })
    return redirect(`${menu}#backup`, 303)
  })
  console.post(`${backupsPath}/:name/download`, [], download)
  console.post(`${backupsPath}/uploads`, [], upload, uploadFormBytesMax)
  console.get(`${backupsPath}/:name/restore`, [], async context => await buildQuestion(context))
  console.post(`${backupsPath}/:name/restore`, [], restore)
  console.get(restoreResultPath, [], showResult)
}

async function download({ api, params }: AdminContext): Promise<Download> {
  const name = params.name ?? ''
  const { body } = await api.post<BackupDownload>(`/backups/${encodeURIComponent(name)}/downloads`)
  const { ticket, bytes } = body
  async function* readPieces() {
    for (let at = 0; at < bytes; at += pieceBytes) {
      const headers = { range: `bytes=${at}-${Math.min(at + pieceBytes, bytes) - 1}` }
      const piece = await api.raw({ method: 'GET', path: `/backups/downloads/${ticket}`, headers })
      // The response has started: all that is left is to end it before its announced length.
      if (piece.status !== 206) throw new Error(`The backup could not be read: ${piece.status}`)
      yield piece.bytes
    }
  }
  return { text: Readable.from(readPieces()), type: 'application/octet-stream', fileName: name, bytes }
}

async function upload(context: AdminContext): Promise<AdminPage | Redirect> {
  try {
    const backup = await sendUpload(context)
    if (backup === 'missing') return buildUploadPage(context, getMessages('backup', context.language).fileMissing)
    // The script sends further pieces; it does not show this page.
    if (backup === undefined) return buildPieceReceived(context)
    return redirect(`${backupsPath}/${backup.name}/restore`, 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return buildUploadPage(context, general ?? Object.values(fields).join(' '))
  }
}

/** Tells the script to go on. */
function buildPieceReceived(context: AdminContext): AdminPage {
  context.reply.header('x-upload', 'continues')
  return { title: getMessages('backup', context.language).uploading, menu, body: null }
}

function buildUploadPage(context: AdminContext, error: string): AdminPage {
  const strings = getMessages('backup', context.language)
  return {
    title: strings.upload,
    menu,
    status: 422,
    scripts: ['console', 'upload'],
    body: (
      <div class="narrow">
        <UploadForm language={context.language} action={`${backupsPath}/uploads`} error={error}>
          <input type="hidden" name="_token" value={context.formToken} />
        </UploadForm>
      </div>
    )
  }
}

async function buildQuestion(context: AdminContext, refused?: string): Promise<AdminPage> {
  const { language, site, params } = context
  const strings = getMessages('backup', language)
  const { body } = await context.api.get<BackupOverview>('/backups')
  const backup = body.backups.find(({ name }) => name === params.name)
  if (backup === undefined) throw new ApiError(404, 'backup-not-found', getMessages('admin', language).notThere.text)
  const page = buildConfirmPage(context, {
    title: strings.confirmTitle,
    text: strings.confirmText({ moment: formatDateTime(language, findTakenAt(backup), site.timezone) }),
    menu,
    action: `${backupsPath}/${backup.name}/restore`,
    yes: strings.confirmAction,
    no: { label: strings.cancel, href: `${menu}#backup` },
    refused,
    fields: (
      <ul>
        {strings.consequences.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )
  })
  return page
}

/** The name of an uploaded backup has the time at which it was taken; its file is newer. */
export function findTakenAt({ name, createdAt }: { name: string; createdAt: string }): string {
  const [, day, hour, minute, second = '00'] = /(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)?Z/.exec(name) ?? []
  return day === undefined ? createdAt : `${day}T${hour}:${minute}:${second}Z`
}

async function restore(context: AdminContext): Promise<AdminPage> {
  const { api, params } = context
  const since = Date.now()
  try {
    await api.post<StartedRestore>(`/backups/${encodeURIComponent(params.name ?? '')}/restore`)
  } catch (error) {
    if (!(error instanceof ApiError) || ![409, 422].includes(error.status)) throw error
    return await buildQuestion(context, error.message)
  }
  const next = withQuery(restoreResultPath, { since: String(since) })
  return { ...buildRestoreWait(context, next), menu }
}

/** After a successful restore all sessions are gone, so that this page asks to sign in first. */
async function showResult(context: AdminContext): Promise<AdminPage> {
  const { api, language, site } = context
  const strings = getMessages('backup', language)
  const overview = (await api.get<BackupOverview>('/backups')).body
  // The server has not stopped yet.
  if (isRestoreAwaited(context, overview)) {
    const next = withQuery(restoreResultPath, { since: context.query.since })
    return { ...buildRestoreWait(context, next), menu }
  }
  const { lastRestore } = overview
  return {
    title: strings.resultTitle,
    menu,
    body: (
      <div class="narrow">
        {lastRestore === null ? null : lastRestore.failure === null ? (
          <p class="notice good">
            {lastRestore.takenAt === null
              ? strings.restoredOther
              : strings.restored({ moment: formatDateTime(language, lastRestore.takenAt, site.timezone) })}
          </p>
        ) : (
          <p class="notice bad">{strings.notRestored({ reason: lastRestore.failure })}</p>
        )}
        <p>
          <a class="button quiet" href={`${menu}#backup`}>
            {strings.toData}
          </a>
        </p>
      </div>
    )
  }
}
