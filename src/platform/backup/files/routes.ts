import { Type } from 'typebox'
import type { RouteContext } from '../../http/service.ts'
import { openArchive, RestoreError, requireKnownVersions } from '../restore.ts'
import { recordDownload } from '../status.ts'
import { buildOverview, requireBackup, startBackup } from './backup-files.ts'
import { issueTicket, openRange, parseRange, readTicket } from './download.ts'
import type { BackupOperations } from './operations.ts'
import { newBackupUnusableProblem, newRestoreRunningProblem } from './problems.ts'
import { BackupDownload, BackupOverview, StartedBackup, StartedRestore, UploadPiece, UploadState } from './schema.ts'
import { storePiece } from './upload.ts'

const BackupParams = Type.Object({ backupName: Type.String() })
/** Each of these occupies disk and processor for a while. */
const heavyRateLimit = { name: 'backups', perMinute: 10 }

/** Backups in the folder of this server: create, download, upload, restore. */
export function registerBackupRoutes(scope: RouteContext, operations: BackupOperations): void {
  const { app, db, settings, log } = scope
  const { backup } = settings
  const isAdmin = { requires: ['admin'] } as const
  const isConfirmedAdmin = { ...isAdmin, requiresConfirmation: true, rateLimit: heavyRateLimit } as const

  app.get('/backups', {
    config: isAdmin,
    schema: {
      summary: 'List backups, with schedule and last restore',
      description: 'Backups in the folder BACKUP_DIR of this server; copies in an object store are not listed.',
      response: { 200: BackupOverview }
    },
    handler: async (_, reply) => {
      reply.header('cache-control', 'no-store')
      return await buildOverview(db, backup)
    }
  })

  app.post('/backups', {
    config: isConfirmedAdmin,
    schema: {
      summary: 'Create a backup',
      description:
        'Writes all data to a file in the folder BACKUP_DIR and verifies it, while the site is running. `GET /backups` shows the progress. The five newest are kept.',
      problems: { 409: ['backup-running'] },
      response: { 202: StartedBackup }
    },
    handler: async (request, reply) => {
      const name = await startBackup(db, request.caller, { ...operations, settings: backup, log })
      return reply.code(202).send({ name })
    }
  })

  app.post('/backups/uploads', {
    config: isAdmin,
    schema: {
      summary: 'Upload a piece of a backup',
      description:
        'Send a file in pieces of up to 640 KB, in order, with the same `uploadId`. After the last one the file is verified and listed as a backup that can be restored within a day.',
      problems: { 409: ['upload-offset'], 413: ['upload-too-large'], 422: ['backup-unusable'] },
      body: UploadPiece,
      response: { 200: UploadState }
    },
    handler: async request => await storePiece(backup.folder, request.body)
  })

  app.post('/backups/:backupName/downloads', {
    config: isConfirmedAdmin,
    schema: {
      summary: 'Request the download of a backup',
      description:
        'Returns a ticket, which is valid for an hour with the same credentials. A backup contains all personal data.',
      problems: { 404: ['backup-not-found'] },
      params: BackupParams,
      response: { 200: BackupDownload }
    },
    handler: async (request, reply) => {
      const found = await requireBackup(backup.folder, request.params.backupName)
      await recordDownload(db, request.caller, found.name)
      reply.header('cache-control', 'no-store')
      return issueTicket(settings.encryptionKey, request.caller, found, new Date())
    }
  })

  app.get('/backups/downloads/:ticket', {
    config: isAdmin,
    schema: {
      summary: 'Download a backup',
      description: 'The file, or one range of its bytes with the header `Range`.',
      problems: { 404: ['backup-not-found', 'download-expired'], 416: ['range-not-satisfiable'] },
      params: Type.Object({ ticket: Type.String() }),
      produces: 'application/octet-stream',
      response: { 200: Type.String({ format: 'binary' }), 206: Type.String({ format: 'binary' }) }
    },
    handler: async (request, reply) => {
      const name = readTicket(settings.encryptionKey, request.caller, request.params.ticket, new Date())
      const { path, bytes } = await requireBackup(backup.folder, name)
      const range = parseRange(request.headers.range, bytes)
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'accept-ranges': 'bytes',
        'content-length': String(range === undefined ? bytes : range.last - range.first + 1)
      })
      if (range !== undefined) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${bytes}`)
      return reply.serializer(String).send(openRange(path, range) as never)
    }
  })

  app.post('/backups/:backupName/restore', {
    config: isConfirmedAdmin,
    schema: {
      summary: 'Restore a backup',
      description:
        'Replaces all data of the site by that of the backup. The backup is verified first; then the site responds 503 until everything is restored, and all users sign in again. The replaced data is saved as a backup. If anything fails, nothing has changed.',
      problems: {
        404: ['backup-not-found'],
        409: ['restore-running'],
        422: ['backup-unusable']
      },
      params: BackupParams,
      response: { 202: StartedRestore }
    },
    handler: async (request, reply) => {
      const { path, name } = await requireBackup(backup.folder, request.params.backupName)
      const manifest = await checkArchive(path, name)
      if (!(await operations.startRestore({ path, by: request.caller.name }))) throw newRestoreRunningProblem()
      log.info({ name }, 'restore requested')
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      return reply.code(202).send({ takenAt: manifest.takenAt ?? null, program: manifest.program, rows })
    }
  })

  /** Everything that can be known to fail is refused while the site is running. */
  async function checkArchive(path: string, name: string) {
    try {
      const archive = await openArchive(path)
      try {
        await requireKnownVersions(archive.manifest, operations.migrations)
        await operations.requireKeys(archive)
      } finally {
        await archive.close()
      }
      return archive.manifest
    } catch (error) {
      if (error instanceof RestoreError) throw newBackupUnusableProblem(error.message.replace(path, name))
      throw error
    }
  }
}
