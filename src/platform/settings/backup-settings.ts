import { join, resolve } from 'node:path'
import { canParseUrl } from '../url/parse-url.ts'
import { parseWholeNumber, type SettingReader } from './setting-reader.ts'

/** A bucket of an S3-compatible object store. */
export interface S3Settings {
  endpoint: string
  bucket: string
  /** Start of the object keys: empty, or ending with a slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface BackupSettings {
  /** Minutes after midnight in the site's time zone; undefined means that no backup is scheduled. */
  scheduleMinute: number | undefined
  /** Folder of scheduled backups. */
  folder: string
  keepDays: number
  keepMonths: number
  /** `doctor` fails if the last backup is older; 0 switches that check off. */
  maxAgeDays: number
  /** Where scheduled backups are copied to; undefined means that they stay in the folder only. */
  s3: S3Settings | undefined
}

const defaultMaxAgeDays = { scheduled: 2, manual: 7 }

export function readBackupSettings(reader: SettingReader, dataDir: string): BackupSettings {
  const { read } = reader
  const scheduleMinute = read(
    'BACKUP_SCHEDULE',
    undefined,
    parseTimeOfDay,
    'must be a time of day from 00:00 to 23:59, such as 03:17.'
  )
  const s3 = readS3Settings(reader)
  return {
    scheduleMinute,
    folder: resolve(read('BACKUP_DIR', join(dataDir, 'backups'), given => given, '')),
    keepDays: read('BACKUP_KEEP_DAYS', 7, parseWholeNumber(1, 3650), 'must be a whole number from 1 to 3650.'),
    keepMonths: read('BACKUP_KEEP_MONTHS', 6, parseWholeNumber(0, 1200), 'must be a whole number from 0 to 1200.'),
    maxAgeDays: read(
      'BACKUP_MAX_AGE_DAYS',
      scheduleMinute === undefined ? defaultMaxAgeDays.manual : defaultMaxAgeDays.scheduled,
      parseWholeNumber(0, 365),
      'must be a whole number from 0 to 365.'
    ),
    s3
  }
}

/** All of endpoint, bucket and credentials, or none of them. */
function readS3Settings({ read, isSet, refuse }: SettingReader): S3Settings | undefined {
  const endpoint = read(
    'BACKUP_S3_ENDPOINT',
    undefined,
    parseEndpoint,
    'must be the http:// or https:// URL of the object store, without the bucket, such as https://s3.eu-central-1.amazonaws.com.'
  )
  const bucket = read(
    'BACKUP_S3_BUCKET',
    undefined,
    given => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given) ? given : undefined),
    'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens.'
  )
  const prefix = read(
    'BACKUP_S3_PREFIX',
    '',
    given => (/^[\w-]+(\/[\w-]+)*\/?$/.test(given) ? given.replace(/\/?$/, '/') : undefined),
    'must be a path of letters, digits, hyphens and underscores, such as backups/kalends.'
  )
  const region = read(
    'BACKUP_S3_REGION',
    'us-east-1',
    given => (/^[a-z0-9-]{1,40}$/i.test(given) ? given : undefined),
    'must be the name of a region, such as eu-central-1.'
  )
  const accessKeyId = read('BACKUP_S3_ACCESS_KEY_ID', undefined, given => given, '')
  const secretAccessKey = read('BACKUP_S3_SECRET_ACCESS_KEY', undefined, given => given, '')

  const required = ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_BUCKET', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
  if (![...required, 'BACKUP_S3_PREFIX', 'BACKUP_S3_REGION'].some(isSet)) return undefined
  for (const missing of required.filter(name => !isSet(name))) {
    refuse(
      `${missing}: required to copy backups to an object store, with ${required.filter(name => name !== missing).join(', ')}.`
    )
  }
  if ([endpoint, bucket, accessKeyId, secretAccessKey].includes(undefined)) return undefined
  return { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } as S3Settings
}

/** Minutes after midnight. */
function parseTimeOfDay(given: string): number | undefined {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}

function parseEndpoint(given: string): string | undefined {
  if (!canParseUrl(given)) return undefined
  const url = new URL(given)
  const isPlain = `${url.search}${url.hash}${url.username}${url.password}` === '' && url.pathname === '/'
  return /^https?:$/.test(url.protocol) && isPlain ? url.origin : undefined
}
