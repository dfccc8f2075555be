import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { test } from 'node:test'
import { toFileError } from './file-error.ts'

test('the usual errors of the file system name the file and the reason; others stay as they are', async () => {
  const full = await open('/dev/full', 'w')
  const error = await full.write('x').catch(reason => reason)
  await full.close()
  assert.equal((toFileError(error, '/backups/x') as Error).message, '/backups/x: the disk is full.')
  const bug = new TypeError('x is not a function')
  assert.equal(toFileError(bug, '/backups/x'), bug)
})
