import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { test } from 'node:test'
import { toFileError } from './file-error.ts'

test('common file system errors get a message with the file and the reason; other errors are unchanged', async () => {
  const full = await open('/dev/full', 'w')
  const error = await full.write('x').catch(reason => reason)
  await full.close()
  assert.equal((toFileError(error, '/backups/x') as Error).message, '/backups/x: the disk is full.')
  const bug = new TypeError('x is not a function')
  assert.equal(toFileError(bug, '/backups/x'), bug)
})
