import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { uploadBytesMax } from './schema.ts'

export const newBackupNotFoundProblem = () =>
  new Problem(404, 'backup-not-found', buildText('backup-problems', 'backupNotFound'))

export const newBackupRunningProblem = () =>
  new Problem(409, 'backup-running', buildText('backup-problems', 'backupRunning'))

export const newDownloadExpiredProblem = () =>
  new Problem(404, 'download-expired', buildText('backup-problems', 'downloadExpired'))

export const newRangeProblem = (bytes: number) =>
  new Problem(416, 'range-not-satisfiable', buildText('backup-problems', 'range', { bytes }), {
    headers: { 'content-range': `bytes */${bytes}` }
  })

export const newUploadOffsetProblem = (receivedBytes: number) =>
  new Problem(409, 'upload-offset', buildText('backup-problems', 'uploadOffset', { receivedBytes }), {
    data: { receivedBytes }
  })

export const newUploadTooLargeProblem = () =>
  new Problem(
    413,
    'upload-too-large',
    buildText('backup-problems', 'uploadTooLarge', { gigabytes: uploadBytesMax / 1024 ** 3 })
  )

export const newBackupUnusableProblem = (reason: string) =>
  new Problem(422, 'backup-unusable', buildText('backup-problems', 'backupUnusable', { reason }))

export const newRestoreRunningProblem = () =>
  new Problem(409, 'restore-running', buildText('backup-problems', 'restoreRunning'))
