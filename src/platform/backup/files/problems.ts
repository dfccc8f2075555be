import { Problem } from '../../problem.ts'
import { uploadBytesMax } from './schema.ts'

export const newBackupNotFoundProblem = () =>
  new Problem(404, 'backup-not-found', {
    en: 'Backup not found in the backup folder of this server.',
    de: 'Diese Sicherung gibt es nicht im Sicherungsordner dieses Servers.'
  })

export const newBackupRunningProblem = () =>
  new Problem(409, 'backup-running', {
    en: 'A backup is already being created. Wait until it is complete.',
    de: 'Es wird gerade schon eine Sicherung erstellt. Bitte warten Sie, bis sie fertig ist.'
  })

export const newDownloadExpiredProblem = () =>
  new Problem(404, 'download-expired', {
    en: 'This download has expired or belongs to another user. Request it again.',
    de: 'Dieser Download ist abgelaufen oder gehört zu einem anderen Zugang. Bitte fordern Sie ihn neu an.'
  })

export const newRangeProblem = (bytes: number) =>
  new Problem(
    416,
    'range-not-satisfiable',
    {
      en: `Range must be within the ${bytes} bytes of the file, such as bytes=0-1023.`,
      de: `Range muss innerhalb der ${bytes} Bytes der Datei liegen, etwa bytes=0-1023.`
    },
    { headers: { 'content-range': `bytes */${bytes}` } }
  )

export const newUploadOffsetProblem = (receivedBytes: number) =>
  new Problem(
    409,
    'upload-offset',
    {
      en: `offset must be ${receivedBytes}: that many bytes of this upload have arrived.`,
      de: `offset muss ${receivedBytes} sein: So viele Bytes dieses Uploads sind angekommen.`
    },
    { data: { receivedBytes } }
  )

export const newUploadTooLargeProblem = () =>
  new Problem(413, 'upload-too-large', {
    en: `A backup that is uploaded may have ${uploadBytesMax / 1024 ** 3} GB. Restore a larger one on the server: kalends restore.`,
    de: `Eine hochgeladene Sicherung darf ${uploadBytesMax / 1024 ** 3} GB groß sein. Stellen Sie eine größere auf dem Server wieder her: kalends restore.`
  })

export const newBackupUnusableProblem = (reason: string) =>
  new Problem(422, 'backup-unusable', {
    en: `This backup cannot be restored: ${reason}`,
    de: `Diese Sicherung kann nicht wiederhergestellt werden: ${reason}`
  })

export const newRestoreRunningProblem = () =>
  new Problem(409, 'restore-running', {
    en: 'A restore has already started.',
    de: 'Eine Wiederherstellung hat schon begonnen.'
  })
