import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readEnvFile } from './env-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'kalends-env-file-'))
after(() => rmSync(folder, { recursive: true }))

test('a .env file may have comments and quotes, and is optional', () => {
  const file = join(folder, 'good')
  writeFileSync(file, '# comment\nPORT=9000\nMAIL_FROM="Music School <give@example.org>" # sender\n\n')
  assert.deepEqual(readEnvFile(file), { values: { PORT: '9000', MAIL_FROM: 'Music School <give@example.org>' } })
  assert.deepEqual(readEnvFile(join(folder, 'none')), { values: {} })
})

test('a .env file that exists and cannot be read is reported with its path and the reason', () => {
  const directory = join(folder, 'directory')
  mkdirSync(directory)
  assert.match(
    readEnvFile(directory).problem ?? '',
    /^\.env: cannot read \/.*\/directory \(EISDIR\)\. It must be a text file/
  )
  const loop = join(folder, 'loop')
  symlinkSync(loop, loop)
  assert.match(readEnvFile(loop).problem ?? '', /^\.env: cannot read \/.*\/loop \(ELOOP\)\./)
})
