import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SettingsError } from '../config.ts'

test('a misspelt setting is refused, and the error suggests the right name', () => {
  for (const [given, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['ENCRYPTION_KEY_FIL', 'ENCRYPTION_KEY_FILE'],
    ['BACKUP_SHEDULE', 'BACKUP_SCHEDULE'],
    ['database_url', 'DATABASE_URL']
  ] as const) {
    for (const fileNames of [[], [given]]) {
      const message = readError({ [given]: 'x' }, fileNames)
      assert.match(
        message,
        new RegExp(`^  ${given}( in \\.env)?: there is no such setting\\. Did you mean ${meant}\\?$`, 'm')
      )
    }
  }
  assert.match(readError({ OIDC_TENANT: 'x', RATE_LIMIT_UPLOADS: '1' }), /OIDC_TENANT: .*\n {2}RATE_LIMIT_UPLOADS: /)
})

test('variables of other programs are ignored in the environment, and those of known programs in .env', () => {
  const others = {
    PATH: '/bin',
    HOSTNAME: 'a',
    HOSTS: 'a',
    LOGNAME: 'kalends',
    DATABASE_URI: 'set for another program, beside DATABASE_URL',
    DATABASE_URL: 'postgres://db/kalends',
    KALENDS_PORT: 'tcp://10.0.0.1:8080',
    OIDC_SERVICE_HOST: '10.0.0.2',
    BACKUP_PORT_8080_TCP_ADDR: '10.0.0.3',
    BORG_PASSPHRASE: 'x'
  }
  assert.equal(readSettings(others).databaseUrl, 'postgres://db/kalends')
  const known = {
    NODE_OPTIONS: '--max-old-space-size=512',
    TZ: 'UTC',
    PGSSLMODE: 'require',
    POSTGRES_PASSWORD: 'x',
    https_proxy: 'x'
  }
  assert.equal(readSettings(known, Object.keys(known)).port, 8080)
  // In the file all other names are refused.
  assert.match(
    readError({ SITE_NAME: 'x' }, ['SITE_NAME']),
    /^ {2}SITE_NAME in \.env: there is no such setting\. Remove it/m
  )
  assert.match(readError({ HOTS: 'x' }, ['HOTS']), /^ {2}HOTS in \.env: .* Did you mean HOST\?/m)
})

function readError(env: Record<string, string>, fileNames: string[] = []): string {
  try {
    readSettings(env, fileNames)
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.message
  }
  return assert.fail(`accepted: ${JSON.stringify(env)}`)
}
