import { isAbsolute, resolve } from 'node:path'
import { type Language, languages } from './language.ts'
import { type BackupSettings, readBackupSettings } from './settings/backup-settings.ts'
import { readEnvFile } from './settings/env-file.ts'
import { listMisspelt } from './settings/misspelt-settings.ts'
import { type OpenIdSettings, readOpenIdSettings } from './settings/openid-settings.ts'
import { type Environment, newSettingReader, parseOneOf, parseWholeNumber } from './settings/setting-reader.ts'
import {
  isLoopback,
  type LogAddresses,
  type LogFormat,
  logAddresses,
  logFormats,
  logLevels,
  parseBoolean,
  parseCurrencyCode,
  parseHost,
  parseMailFrom,
  parseOrigins,
  parsePostgresUrl,
  parseProcessCount,
  parseSecret,
  parseSecrets,
  parseSmtpUrl,
  parseTimeZone,
  parseTrustProxy,
  parseWebUrl
} from './settings/setting-values.ts'

/** Settings that an admin may also set for the site, where the environment does not. */
export const siteSettings = { timezone: 'TIMEZONE', defaultLanguage: 'DEFAULT_LANGUAGE', currency: 'CURRENCY' } as const
export type SiteSetting = keyof typeof siteSettings

/** One object for the life of a process: the site's own settings in it change at runtime, so read them when needed. */
export interface Settings {
  host: string
  port: number
  dataDir: string
  /** Folder of the programs for the embedded store; undefined means those of npm, or newer ones of the system. */
  postgresBin: string | undefined
  /** Undefined means the embedded store under `dataDir`. */
  databaseUrl: string | undefined
  /** A replica of that database for the reads of visitors; undefined means that all reads use the primary. */
  databaseReplicaUrl: string | undefined
  /** Start of links in responses; undefined means the request's own scheme and host. */
  publicUrl: string | undefined
  /** URL of the services, for pages that run in another process; undefined means the same process. */
  apiUrl: string | undefined
  adminKey: string | undefined
  /** Encrypts account numbers and secrets. If the environment sets none, the start loads that of the data folder. */
  encryptionKey: string | undefined
  /** Earlier keys, used only to decrypt. */
  encryptionKeysOld: string[]
  timezone: string
  defaultLanguage: Language
  currency: string
  /** Those of these three that the environment sets, so that they cannot be changed otherwise. */
  fixed: SiteSetting[]
  ibanPolicy: 'lenient' | 'strict'
  /** A number means how many proxies are in front. */
  trustProxy: boolean | number | string[]
  logLevel: string
  logFormat: LogFormat
  /** How access log lines identify clients. */
  logAddresses: LogAddresses
  allowPrivateAddresses: boolean
  /** Origins whose pages may write through a browser; `*` means all. Reading is open to all. */
  corsOrigins: string[]
  /** Requests a minute from one address; 0 switches the limit off. */
  rateLimit: number
  /** Donations a minute from one address; 0 switches the limit off. */
  rateLimitDonations: number
  /** Donations an hour from one bank account, and three times as many a day; 0 switches the limit off. */
  rateLimitDonationsPerAccount: number
  /** Suggestions of events a minute from one address; 0 switches the limit off. */
  rateLimitSuggestions: number
  /** Megabytes of responses cached for visitors; 0 caches none. */
  responseCache: number
  /** Megabytes of request bodies in memory at the same time. */
  bodyMemory: number
  /** The SMTP server; undefined means that no e-mail is sent. */
  smtpUrl: string | undefined
  /** The sender of e-mails: an address, optionally with a name before it. */
  mailFrom: string | undefined
  /** The OpenID provider for sign-in; undefined means that there is none. */
  openid: OpenIdSettings | undefined
  backup: BackupSettings
  /** Whether this process also runs background jobs. A worker always does. */
  worker: boolean
  /** How many processes share the port. */
  workers: number
  /** How long records of the activity log are kept; undefined means for ever. */
  activityYears: number | undefined
  /** npm registry that is asked for newer releases; undefined means that nothing is asked. */
  updateRegistry: string | undefined
  /** How long a stopping process still accepts requests, so that a proxy can notice. */
  drainSeconds: number
}

/** Lists everything that is wrong with the settings, so that all of it can be fixed at once. */
export class SettingsError extends Error {
  constructor(problems: string[]) {
    super(`Kalends cannot start with these settings:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
  }
}

/** Settings from a `.env` file in the working folder and from the environment, which wins. */
export function loadSettings(): Settings {
  const { values, problem } = readEnvFile('.env')
  // Errors about settings that are in the file would mislead while it cannot be read.
  if (problem !== undefined) throw new SettingsError([problem])
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value
  return readSettings(process.env, Object.keys(values))
}

/** Whether to print all of an error. Reads the environment, because the settings may be what is wrong. */
export function isVerbose(): boolean {
  return ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')
}

/** `fileNames` are the variables that come from the `.env` file. */
export function readSettings(env: Environment, fileNames: string[] = []): Settings {
  const reader = newSettingReader(env)
  const { read, isSet, refuse, problems } = reader
  const dataDir = resolve(read('DATA_DIR', './data', given => given, ''))

  const settings: Settings = {
    host: read('HOST', '127.0.0.1', parseHost, 'must be an IP address or a host name.'),
    port: read(
      'PORT',
      8080,
      parseWholeNumber(0, 65535),
      'must be a whole number from 0 to 65535 (0 picks a free port).'
    ),
    dataDir,
    postgresBin: read(
      'POSTGRES_BIN',
      undefined,
      given => (isAbsolute(given) ? given : undefined),
      'must be the absolute path of a folder, such as /usr/lib/postgresql/17/bin.'
    ),
    databaseUrl: read('DATABASE_URL', undefined, parsePostgresUrl, 'must be a postgres:// or postgresql:// URL.'),
    databaseReplicaUrl: read(
      'DATABASE_REPLICA_URL',
      undefined,
      parsePostgresUrl,
      'must be a postgres:// or postgresql:// URL.'
    ),
    publicUrl: read('PUBLIC_URL', undefined, parseWebUrl, 'must be an http:// or https:// URL without query.'),
    apiUrl: read('API_URL', undefined, parseWebUrl, 'must be an http:// or https:// URL without query.'),
    adminKey: read('ADMIN_KEY', undefined, given => (given.length >= 16 ? given : undefined), 'needs 16 characters.'),
    encryptionKey: read('ENCRYPTION_KEY', undefined, parseSecret, 'needs 32 characters, none of them a comma.'),
    encryptionKeysOld: read(
      'ENCRYPTION_KEY_OLD',
      [],
      parseSecrets,
      'needs 32 characters each, keys separated by commas.'
    ),
    timezone: read('TIMEZONE', 'UTC', parseTimeZone, 'must be a time zone name such as Europe/Berlin.'),
    defaultLanguage: read(
      'DEFAULT_LANGUAGE',
      'en',
      parseOneOf(...languages),
      `must be one of ${languages.join(', ')}.`
    ),
    currency: read('CURRENCY', 'EUR', parseCurrencyCode, 'must be the code of a currency with cents, such as EUR.'),
    fixed: (Object.keys(siteSettings) as SiteSetting[]).filter(setting => isSet(siteSettings[setting])),
    ibanPolicy: read('IBAN_POLICY', 'lenient', parseOneOf('lenient', 'strict'), 'must be lenient or strict.'),
    trustProxy: read(
      'TRUST_PROXY',
      false,
      parseTrustProxy,
      'must be true, false, a number of hops, or IP addresses separated by commas.'
    ),
    logLevel: read('LOG_LEVEL', 'info', parseOneOf(...logLevels), `must be one of ${logLevels.join(', ')}.`),
    logFormat: read('LOG_FORMAT', 'auto', parseOneOf(...logFormats), `must be one of ${logFormats.join(', ')}.`),
    logAddresses: read(
      'LOG_ADDRESSES',
      'network',
      parseOneOf(...logAddresses),
      `must be one of ${logAddresses.join(', ')}.`
    ),
    allowPrivateAddresses: read('ALLOW_PRIVATE_ADDRESSES', false, parseBoolean, 'must be true or false.'),
    corsOrigins: read(
      'CORS_ORIGINS',
      [],
      parseOrigins,
      'must be origins such as https://example.org, separated by commas, or *.'
    ),
    rateLimit: read('RATE_LIMIT', 600, parseWholeNumber(0, 1_000_000), 'must be a whole number from 0 to 1000000.'),
    rateLimitDonations: read(
      'RATE_LIMIT_DONATIONS',
      30,
      parseWholeNumber(0, 1_000_000),
      'must be a whole number from 0 to 1000000.'
    ),
    rateLimitDonationsPerAccount: read(
      'RATE_LIMIT_DONATIONS_PER_ACCOUNT',
      10,
      parseWholeNumber(0, 10_000),
      'must be a whole number from 0 to 10000.'
    ),
    rateLimitSuggestions: read(
      'RATE_LIMIT_SUGGESTIONS',
      5,
      parseWholeNumber(0, 1_000_000),
      'must be a whole number from 0 to 1000000.'
    ),
    responseCache: read('RESPONSE_CACHE', 32, parseWholeNumber(0, 16_384), 'must be a whole number from 0 to 16384.'),
    bodyMemory: read('BODY_MEMORY', 128, parseWholeNumber(64, 16_384), 'must be a whole number from 64 to 16384.'),
    smtpUrl: read(
      'SMTP_URL',
      undefined,
      parseSmtpUrl,
      'must be an smtp:// or smtps:// URL; the only query parameter is tls.'
    ),
    mailFrom: read(
      'MAIL_FROM',
      undefined,
      parseMailFrom,
      'must be an email address, or a name and an <email address>.'
    ),
    openid: undefined,
    backup: readBackupSettings(reader, dataDir),
    worker: read('WORKER', true, parseBoolean, 'must be true or false.'),
    workers: read('WORKERS', 1, parseProcessCount, 'must be auto, or a whole number from 1 to 256.'),
    activityYears: read('ACTIVITY_YEARS', undefined, parseWholeNumber(1, 100), 'must be a whole number from 1 to 100.'),
    updateRegistry: read(
      'UPDATE_REGISTRY',
      undefined,
      parseWebUrl,
      'must be an http:// or https:// URL without query, such as https://packages.example.org.'
    ),
    drainSeconds: read('DRAIN_SECONDS', 1, parseWholeNumber(0, 8), 'must be a whole number from 0 to 8.')
  }

  settings.openid = readOpenIdSettings(reader, settings.publicUrl)

  const refused = problems.some(problem => problem.startsWith('PUBLIC_URL'))
  if (settings.publicUrl === undefined && !isLoopback(settings.host) && !refused) {
    refuse(`PUBLIC_URL: required, because HOST is ${settings.host}: the public URL of this server.`)
  }
  if (settings.databaseReplicaUrl !== undefined && !isSet('DATABASE_URL')) {
    refuse('DATABASE_REPLICA_URL: requires DATABASE_URL; the embedded database has no replica.')
  }
  if (settings.smtpUrl !== undefined && !isSet('MAIL_FROM')) {
    refuse('MAIL_FROM: required with SMTP_URL, as the sender of emails.')
  }
  for (const problem of listMisspelt(env, fileNames, reader.names)) refuse(problem)
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}
