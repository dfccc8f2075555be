// Loaded before a test file. Records the SQL statements that it sends, so that those of one store can be prepared on the other.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const folder = process.env.TEST_STATEMENTS
if (folder !== undefined && /[\\/]dist-test[\\/]/.test(process.argv[1] ?? '')) {
  const recorded = new Set()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (config, ...rest) {
    const text = typeof config === 'string' ? config : config?.text
    // Other statements cannot be prepared.
    if (typeof text === 'string' && /^\s*(?:with|select|insert|update|delete|merge|values)\b/i.test(text))
      recorded.add(text)
    return query.call(this, config, ...rest)
  }
  process.on('exit', () => writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...recorded])))
}
