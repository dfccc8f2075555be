import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { readSettings, SettingsError } from './config.ts'
import { isLoopback } from './settings/setting-values.ts'

const folder = mkdtempSync(join(tmpdir(), 'kalends-settings-'))
after(() => rmSync(folder, { recursive: true }))

test('every setting has a default', () => {
  assert.deepEqual(readSettings({}), {
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    postgresBin: undefined,
    databaseReplicaUrl: undefined,
    publicUrl: undefined,
    apiUrl: undefined,
    adminKey: undefined,
    encryptionKey: undefined,
    encryptionKeysOld: [],
    timezone: 'UTC',
    defaultLanguage: 'en',
    currency: 'EUR',
    fixed: [],
    ibanPolicy: 'lenient',
    trustProxy: false,
    logLevel: 'info',
    logFormat: 'auto',
    logAddresses: 'network',
    allowPrivateAddresses: false,
    corsOrigins: [],
    rateLimit: 600,
    rateLimitDonations: 30,
    rateLimitDonationsPerAccount: 10,
    rateLimitSuggestions: 5,
    responseCache: 32,
    bodyMemory: 128,
    smtpUrl: undefined,
    mailFrom: undefined,
    openid: undefined,
    backup: {
      scheduleMinute: undefined,
      folder: resolve('./data/backups'),
      keepDays: 7,
      keepMonths: 6,
      maxAgeDays: 7,
      s3: undefined
    },
    worker: true,
    workers: 1,
    activityYears: undefined,
    updateRegistry: undefined,
    drainSeconds: 1
  })
})

const valid: [name: string, given: string, setting: keyof ReturnType<typeof readSettings>, read: unknown][] = [
  ['HOST', '127.9.9.9', 'host', '127.9.9.9'],
  ['HOST', '::1', 'host', '::1'],
  ['HOST', 'localhost', 'host', 'localhost'],
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65535],
  ['PORT', ' 8081 ', 'port', 8081],
  ['DATA_DIR', '/srv/kalends', 'dataDir', '/srv/kalends'],
  ['DATABASE_URL', 'postgres://me@db.example:5433/kalends', 'databaseUrl', 'postgres://me@db.example:5433/kalends'],
  ['DATABASE_URL', 'postgresql://%2Frun%2Fpg/kalends', 'databaseUrl', 'postgresql://%2Frun%2Fpg/kalends'],
  ['PUBLIC_URL', 'https://give.example.org/', 'publicUrl', 'https://give.example.org'],
  ['PUBLIC_URL', 'http://example.org/api', 'publicUrl', 'http://example.org/api'],
  ['API_URL', 'http://10.0.0.7:8081/', 'apiUrl', 'http://10.0.0.7:8081'],
  ['ADMIN_KEY', 'sixteen letters!', 'adminKey', 'sixteen letters!'],
  ['ENCRYPTION_KEY', 'x'.repeat(32), 'encryptionKey', 'x'.repeat(32)],
  ['ENCRYPTION_KEY_OLD', `${'y'.repeat(32)}, ${'z'.repeat(40)}`, 'encryptionKeysOld', ['y'.repeat(32), 'z'.repeat(40)]],
  ['TIMEZONE', 'Europe/Berlin', 'timezone', 'Europe/Berlin'],
  ['DEFAULT_LANGUAGE', 'de', 'defaultLanguage', 'de'],
  ['CURRENCY', 'CHF', 'currency', 'CHF'],
  ['IBAN_POLICY', 'strict', 'ibanPolicy', 'strict'],
  ['TRUST_PROXY', 'true', 'trustProxy', true],
  ['TRUST_PROXY', 'false', 'trustProxy', false],
  ['TRUST_PROXY', '2', 'trustProxy', 2],
  ['TRUST_PROXY', 'loopback, 10.0.0.0/8,fd00::/8', 'trustProxy', ['loopback', '10.0.0.0/8', 'fd00::/8']],
  ['LOG_LEVEL', 'warn', 'logLevel', 'warn'],
  ['LOG_FORMAT', 'text', 'logFormat', 'text'],
  ['LOG_ADDRESSES', 'full', 'logAddresses', 'full'],
  ['ALLOW_PRIVATE_ADDRESSES', 'true', 'allowPrivateAddresses', true],
  ['WORKER', 'false', 'worker', false],
  ['WORKERS', '256', 'workers', 256],
  ['WORKERS', 'auto', 'workers', availableParallelism()],
  ['CORS_ORIGINS', '*', 'corsOrigins', ['*']],
  [
    'CORS_ORIGINS',
    'https://a.example, http://b.example:81',
    'corsOrigins',
    ['https://a.example', 'http://b.example:81']
  ],
  ['RATE_LIMIT', '0', 'rateLimit', 0],
  ['RATE_LIMIT_DONATIONS', '1000000', 'rateLimitDonations', 1_000_000],
  ['RATE_LIMIT_DONATIONS_PER_ACCOUNT', '10000', 'rateLimitDonationsPerAccount', 10_000],
  ['RATE_LIMIT_SUGGESTIONS', '0', 'rateLimitSuggestions', 0],
  ['MAIL_FROM', 'give@example.org', 'mailFrom', 'give@example.org'],
  ['MAIL_FROM', 'Käfer, Köln <give@example.org>', 'mailFrom', 'Käfer, Köln <give@example.org>'],
  ['ACTIVITY_YEARS', '10', 'activityYears', 10],
  ['UPDATE_REGISTRY', 'https://packages.example.org/', 'updateRegistry', 'https://packages.example.org'],
  ['DRAIN_SECONDS', '8', 'drainSeconds', 8]
]

test('every valid value is accepted', () => {
  for (const [name, given, setting, read] of valid) {
    assert.deepEqual(readSettings({ [name]: given })[setting], read, `${name}=${given}`)
  }
})

test('an empty setting is the same as no setting', () => {
  const names = [...new Set(valid.map(([name]) => name))]
  const empty = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? '' : '  ']))
  assert.deepEqual(readSettings(empty), readSettings({}))
})

const invalid: [name: string, ...given: string[]][] = [
  ['HOST', 'not a host', '-x', 'http://127.0.0.1'],
  ['PORT', '-1', '65536', '80.5', '0x50', 'http', '1e3'],
  ['DATABASE_URL', 'mysql://me@db/kalends', 'db.example', '/var/run/postgresql'],
  ['DATABASE_REPLICA_URL', 'mysql://me@db/kalends'],
  ['PUBLIC_URL', 'example.org', 'ftp://example.org', 'https://example.org/?a=b', 'https://example.org/#a', '/api'],
  ['API_URL', 'localhost:8081', '10.0.0.7'],
  ['ADMIN_KEY', 'fifteen letters'],
  ['ENCRYPTION_KEY', 'x'.repeat(31)],
  ['ENCRYPTION_KEY', `${'x'.repeat(32)},y`],
  ['ENCRYPTION_KEY_OLD', `${'x'.repeat(32)},short`],
  ['TIMEZONE', 'Berlin', 'Europe/Nowhere'],
  ['DEFAULT_LANGUAGE', 'fr', 'EN'],
  ['CURRENCY', 'eur', 'EURO', 'XYZ', '€'],
  ['IBAN_POLICY', 'Strict', 'none'],
  ['TRUST_PROXY', 'yes', 'example.org', '10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.1,'],
  ['LOG_LEVEL', 'verbose', 'INFO'],
  ['LOG_FORMAT', 'xml'],
  ['LOG_ADDRESSES', 'yes'],
  ['ALLOW_PRIVATE_ADDRESSES', '1', 'yes', 'TRUE'],
  ['CORS_ORIGINS', 'example.org', 'https://example.org/', 'https://example.org/page', 'https://a.example,'],
  ['RATE_LIMIT', '-1', '1000001', 'many', '1.5'],
  ['RATE_LIMIT_DONATIONS', '-1', '1000001'],
  ['RATE_LIMIT_DONATIONS_PER_ACCOUNT', '-1', '10001'],
  ['RATE_LIMIT_SUGGESTIONS', '-1', '1000001'],
  [
    'SMTP_URL',
    'mail.example.org',
    'http://mail',
    'smtp://',
    'smtp://a:%zz@mail',
    'smtp://mail?tls=no',
    'smtp://mail?x=1'
  ],
  ['MAIL_FROM', 'give', 'a@b, c@d', 'A <a@b> <c@d', 'A <a b@c>'],
  ['BACKUP_SCHEDULE', '24:00', '3 am', 'daily', '3:5'],
  ['BACKUP_KEEP_DAYS', '0', '-1', 'all'],
  ['BACKUP_KEEP_MONTHS', '-1', '1201'],
  ['BACKUP_MAX_AGE_DAYS', '366', 'week'],
  ['WORKER', '0', 'no', 'False'],
  ['WORKERS', '0', '257', 'all', '1.5'],
  ['ACTIVITY_YEARS', '0', '101', '1.5'],
  ['UPDATE_REGISTRY', 'true', 'ftp://packages.example.org', 'https://packages.example.org/?a=b'],
  ['DRAIN_SECONDS', '9', '-1', '0.5']
]

test('an invalid value is refused with the name of the setting', () => {
  for (const [name, ...values] of invalid) {
    for (const value of values) {
      assert.match(readError({ [name]: value }), new RegExp(`^  ${name}: \\S`, 'm'), `${name}=${value}`)
    }
  }
})

test('all invalid values are listed at once, one per line', () => {
  const env = Object.fromEntries(invalid.map(([name, value]) => [name, value]))
  const lines = readError(env).split('\n').slice(1)
  assert.deepEqual(
    lines.map(line => line.trim().split(':')[0]),
    Object.keys(env)
  )
})

test('DATABASE_REPLICA_URL requires DATABASE_URL', () => {
  const DATABASE_REPLICA_URL = 'postgres://me@replica.example/kalends'
  assert.match(readError({ DATABASE_REPLICA_URL }), /^ {2}DATABASE_REPLICA_URL: requires DATABASE_URL/m)
  const both = { DATABASE_URL: 'postgres://me@db.example/kalends', DATABASE_REPLICA_URL }
  assert.equal(readSettings(both).databaseReplicaUrl, DATABASE_REPLICA_URL)
})

test('SMTP_URL requires MAIL_FROM', () => {
  const SMTP_URL = 'smtps://me%40example.org:a%2Fb@mail.example.org?tls=unverified'
  assert.match(readError({ SMTP_URL }), /^ {2}MAIL_FROM: required/m)
  assert.equal(readSettings({ SMTP_URL, MAIL_FROM: 'a@example.org' }).smtpUrl, SMTP_URL)
})

test('single sign-on requires issuer, client, secret and PUBLIC_URL', () => {
  const openid = {
    OIDC_ISSUER: 'https://id.example.org/realms/a/',
    OIDC_CLIENT_ID: 'kalends',
    OIDC_CLIENT_SECRET: 'x y'
  }
  const PUBLIC_URL = 'https://example.org'
  const redirectUri = 'https://example.org/admin/sign-in/openid/return'
  const client = { issuer: openid.OIDC_ISSUER, clientId: 'kalends', clientSecret: 'x y', redirectUri }
  assert.deepEqual(readSettings({ ...openid, PUBLIC_URL }).openid, { ...client, name: 'id.example.org' })
  const named = { ...openid, PUBLIC_URL, OIDC_NAME: 'Lindenhof ID' }
  assert.deepEqual(readSettings(named).openid, { ...client, name: 'Lindenhof ID' })
  for (const OIDC_ISSUER of ['http://127.0.0.1:3000', 'http://localhost:3000/a', 'http://[::1]:3000']) {
    assert.equal(readSettings({ ...named, OIDC_ISSUER }).openid?.issuer, OIDC_ISSUER)
  }
  assert.match(readError(openid), /^ {2}PUBLIC_URL: required with OIDC_ISSUER/m)
  for (const missing of Object.keys(openid)) {
    assert.match(readError({ ...named, [missing]: '' }), new RegExp(`^  ${missing}: required for single sign-on`, 'm'))
  }
  assert.match(
    readError({ PUBLIC_URL, OIDC_NAME: 'ID' }),
    /OIDC_ISSUER: required.*OIDC_CLIENT_ID: required.*OIDC_CLIENT_SECRET/s
  )
  for (const OIDC_ISSUER of [
    'id.example.org',
    'http://id.example.org',
    'https://id.example.org/?a=b',
    'https://id.example.org/#a',
    'https://me:word@id.example.org',
    'https://id.example.org/.well-known/openid-configuration'
  ]) {
    assert.match(readError({ ...named, OIDC_ISSUER }), /^ {2}OIDC_ISSUER: must be the https/m, OIDC_ISSUER)
  }
  assert.match(readError({ ...named, OIDC_NAME: 'x'.repeat(61) }), /^ {2}OIDC_NAME: must be one line/m)
  assert.doesNotMatch(readError({ ...openid, OIDC_CLIENT_SECRET: 'hidden-word' }), /hidden-word/)
})

test('the backup settings set the time of day, the folder, the retention and the maximum age', () => {
  const backup = (env: Record<string, string>) => readSettings(env).backup
  assert.deepEqual(
    [backup({ BACKUP_SCHEDULE: '03:17' }), backup({ BACKUP_SCHEDULE: '3:17' })].map(one => one.scheduleMinute),
    [197, 197]
  )
  assert.equal(backup({ BACKUP_SCHEDULE: '00:00' }).scheduleMinute, 0)
  assert.equal(backup({ BACKUP_SCHEDULE: '03:17' }).maxAgeDays, 2)
  assert.equal(backup({ BACKUP_SCHEDULE: '03:17', BACKUP_MAX_AGE_DAYS: '0' }).maxAgeDays, 0)
  assert.equal(backup({ DATA_DIR: '/srv/kalends' }).folder, '/srv/kalends/backups')
  assert.equal(backup({ DATA_DIR: '/srv/kalends', BACKUP_DIR: '/mnt/backups' }).folder, '/mnt/backups')
  const { keepDays, keepMonths } = backup({ BACKUP_KEEP_DAYS: '30', BACKUP_KEEP_MONTHS: '0' })
  assert.deepEqual([keepDays, keepMonths], [30, 0])
})

test('an object store for backups requires endpoint, bucket and credentials', () => {
  const store = {
    BACKUP_S3_ENDPOINT: 'https://s3.example.org:9000/',
    BACKUP_S3_BUCKET: 'music-school',
    BACKUP_S3_ACCESS_KEY_ID: 'AKIA',
    BACKUP_S3_SECRET_ACCESS_KEY: 'hidden-word'
  }
  const read = {
    endpoint: 'https://s3.example.org:9000',
    bucket: 'music-school',
    accessKeyId: 'AKIA',
    secretAccessKey: 'hidden-word'
  }
  assert.deepEqual(readSettings(store).backup.s3, { ...read, prefix: '', region: 'us-east-1' })
  const withPrefix = { ...store, BACKUP_S3_PREFIX: 'backups/kalends', BACKUP_S3_REGION: 'eu-central-1' }
  assert.deepEqual(readSettings(withPrefix).backup.s3, { ...read, prefix: 'backups/kalends/', region: 'eu-central-1' })
  for (const missing of Object.keys(store)) {
    assert.match(
      readError({ ...withPrefix, [missing]: '' }),
      new RegExp(`^  ${missing}: required to copy backups`, 'm')
    )
  }
  for (const [name, value] of [
    ['BACKUP_S3_ENDPOINT', 's3.example.org'],
    ['BACKUP_S3_ENDPOINT', 'https://s3.example.org/bucket'],
    ['BACKUP_S3_ENDPOINT', 'https://me:word@s3.example.org'],
    ['BACKUP_S3_BUCKET', 'Music School'],
    ['BACKUP_S3_PREFIX', '../other'],
    ['BACKUP_S3_PREFIX', '/backups'],
    ['BACKUP_S3_REGION', 'eu central']
  ] as const) {
    assert.match(
      readError({ ...withPrefix, [name]: value }),
      new RegExp(`^  ${name}: must be`, 'm'),
      `${name}=${value}`
    )
  }
  assert.doesNotMatch(readError({ ...store, BACKUP_S3_BUCKET: '' }), /hidden-word/)
})

test('the error shows the invalid value, but never one of a secret', () => {
  assert.match(readError({ PORT: 'eighty' }), /"eighty"/)
  const message = readError({
    ADMIN_KEY: 'short-secret',
    DATABASE_URL: 'mysql://me:hidden-word@db/kalends',
    SMTP_URL: 'http://me:hidden-word@mail',
    CURRENCY: 'x'
  })
  assert.match(message, /ADMIN_KEY/)
  assert.match(message, /DATABASE_URL/)
  assert.doesNotMatch(message, /short-secret|hidden-word/)
})

test('a setting can be read from the file that NAME_FILE names', () => {
  const file = join(folder, 'admin-key')
  writeFileSync(file, '  a key that lies in a file\n')
  assert.equal(readSettings({ ADMIN_KEY_FILE: file }).adminKey, 'a key that lies in a file')
  writeFileSync(join(folder, 'port'), '9000\n')
  assert.equal(readSettings({ PORT_FILE: join(folder, 'port'), PORT: '' }).port, 9000)
  writeFileSync(join(folder, 'empty'), '\n')
  assert.equal(readSettings({ CURRENCY_FILE: join(folder, 'empty') }).currency, 'EUR')
})

test('a NAME_FILE that cannot be read is refused', () => {
  assert.match(readError({ ADMIN_KEY_FILE: join(folder, 'nowhere') }), /^ {2}ADMIN_KEY_FILE: .*nowhere.*ENOENT/m)
  assert.match(readError({ ADMIN_KEY_FILE: folder }), /^ {2}ADMIN_KEY_FILE: .*EISDIR/m)
})

test('a setting and its NAME_FILE together are refused', () => {
  const file = join(folder, 'both')
  writeFileSync(file, 'the-secret-in-the-file')
  const message = readError({ ADMIN_KEY: 'the-secret-in-the-setting', ADMIN_KEY_FILE: file })
  assert.match(message, /^ {2}ADMIN_KEY: .*ADMIN_KEY_FILE/m)
  assert.doesNotMatch(message, /the-secret/)
})

test('an invalid value in a file is also refused, and a secret one is not shown', () => {
  const file = join(folder, 'bad')
  writeFileSync(file, 'too-short')
  const message = readError({ ADMIN_KEY_FILE: file })
  assert.match(message, /^ {2}ADMIN_KEY: /m)
  assert.doesNotMatch(message, /too-short/)
})

test('a HOST that is not a loopback address requires PUBLIC_URL', () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
    assert.match(readError({ HOST: host }), /^ {2}PUBLIC_URL: required/m, host)
    assert.match(readError({ HOST: host, PUBLIC_URL: ' ' }), /^ {2}PUBLIC_URL: required/m, `${host}, empty`)
    assert.equal(readSettings({ HOST: host, PUBLIC_URL: 'https://example.org' }).host, host)
  }
})

test('an invalid or unreadable PUBLIC_URL gives one line of the error, not two', () => {
  for (const env of [{ PUBLIC_URL: 'nonsense' }, { PUBLIC_URL_FILE: join(folder, 'nowhere') }]) {
    assert.equal(readError({ HOST: '0.0.0.0', ...env }).match(/^ {2}PUBLIC_URL/gm)?.length, 1)
  }
})

test('isLoopback accepts only loopback addresses and localhost', () => {
  for (const host of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', 'localhost']) {
    assert.ok(isLoopback(host), host)
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', '']) {
    assert.ok(!isLoopback(host), host)
  }
})

function readError(env: Record<string, string | undefined>): string {
  try {
    readSettings(env)
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.message
  }
  return assert.fail(`accepted: ${JSON.stringify(env)}`)
}
