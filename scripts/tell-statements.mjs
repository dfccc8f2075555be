// Loaded before a test file. Writes down which statements it sends, so that those on one store can be tried on the other.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const folder = process.env.TEST_STATEMENTS
if (folder !== undefined && /[\\/]dist-test[\\/]/.test(process.argv[1] ?? '')) {
  const told = new Set()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (asked, ...rest) {
    const text = typeof asked === 'string' ? asked : asked?.text
    // No others can be prepared.
    if (typeof text === 'string' && /^\s*(?:with|select|insert|update|delete|merge|values)\b/i.test(text))
      told.add(text)
    return query.call(this, asked, ...rest)
  }
  process.on('exit', () => writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...told])))
}
