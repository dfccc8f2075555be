import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { backupKinds } from './names.ts'

const Instant = Type.String({ format: 'date-time' })

/** Size of a piece of an upload: in base64 it fits into a JSON body. */
export const pieceBytesMax = 640 * 1024
export const uploadBytesMax = 16 * 1024 * 1024 * 1024

export const Backup = NamedObject('Backup', {
  name: Type.String({ description: 'File name, which identifies the backup.' }),
  kind: Type.Enum([...backupKinds], {
    description:
      'scheduled: by BACKUP_SCHEDULE; manual: on request; before-restore: the data that a restore replaced; uploaded: sent to this server to be restored, deleted after a day.'
  }),
  bytes: Type.Integer(),
  createdAt: Instant
})
export type Backup = Static<typeof Backup>

export const BackupOverview = NamedObject('BackupOverview', {
  backups: Type.Array(Backup, { description: 'Backups in the folder of this server (BACKUP_DIR), newest first.' }),
  running: Nullable(
    Type.Object({
      bytes: Type.Integer({ description: 'Bytes written so far.' }),
      expectedBytes: Nullable(Type.Integer({ description: 'Size of the previous backup.' }))
    }),
    { description: 'A backup that is being created.' }
  ),
  lastAt: Nullable(Instant, { description: 'Time of the newest backup, wherever it is stored.' }),
  failure: Nullable(Type.Object({ at: Instant, reason: Type.String() }), {
    description: 'Last failure, if no backup was created since.'
  }),
  schedule: Nullable(
    Type.Object({
      time: Type.String({ description: 'Time of day in the time zone of the site, such as 03:17.' }),
      keepDays: Type.Integer(),
      keepMonths: Type.Integer(),
      isCopied: Type.Boolean({ description: 'Whether backups are copied to an object store.' })
    }),
    { description: 'Null if no backups are scheduled.' }
  ),
  maxAgeDays: Type.Integer({ description: 'Age in days from which the last backup is too old; 0: never.' }),
  lastRestore: Nullable(
    Type.Object({
      at: Instant,
      by: Type.String(),
      takenAt: Nullable(Instant),
      failure: Nullable(Type.String({ description: 'Reason of a failed restore, which has changed nothing.' }))
    })
  )
})
export type BackupOverview = Static<typeof BackupOverview>

export const StartedBackup = NamedObject('StartedBackup', { name: Type.String() })

export const UploadPiece = Type.Object({
  uploadId: Type.String({
    pattern: '^[0-9a-f]{32}$',
    description: 'Random id of the upload, the same for all its pieces.',
    examples: ['7f3c0a52e1b94d6f8a20c5d9e4b17386']
  }),
  offset: Type.Integer({ minimum: 0, maximum: uploadBytesMax, description: 'Position of the piece in the file.' }),
  content: Type.String({
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
    maxLength: Math.ceil(pieceBytesMax / 3) * 4,
    description: 'The bytes in base64, at most 640 KB.',
    examples: ['QQ==']
  }),
  isLast: Type.Optional(Type.Boolean({ description: 'The file is complete: it is verified and listed.' }))
})
export type UploadPiece = Static<typeof UploadPiece>

export const UploadState = NamedObject('BackupUpload', {
  receivedBytes: Type.Integer(),
  backup: Nullable(Backup, { description: 'The backup, after the last piece.' })
})
export type UploadState = Static<typeof UploadState>

export const BackupDownload = NamedObject('BackupDownload', {
  ticket: Type.String({ description: 'For GET /backups/downloads/{ticket}, with the same credentials.' }),
  bytes: Type.Integer(),
  expiresAt: Instant
})
export type BackupDownload = Static<typeof BackupDownload>

export const StartedRestore = NamedObject('StartedRestore', {
  takenAt: Nullable(Instant),
  program: Type.String({ description: 'Version of the program that wrote the backup.' }),
  rows: Type.Integer()
})
export type StartedRestore = Static<typeof StartedRestore>
