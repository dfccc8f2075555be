// Mass assignment: the name of every column is put into every body, and none may be stored.
import { Sql, sql } from '#platform/database/sql.ts'
import { startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { findRows } from '../support/find-rows.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'

/** Found in no sample; the number of the operation follows. */
const mark = 'mass assignment '
const number = 918_273_000_000

export async function checkMassAssignment({ only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const { admin, store } = crawler
  const columns = await store.all<{ name: string }>(sql`
    select distinct column_name::text as name
    from information_schema.columns
    where table_schema in ('platform', 'fundraising', 'calendar')`)
  const names = [...new Set(columns.flatMap(({ name }) => [name, camelCased(name)]))]
  // What forms of frameworks have, and rights.
  names.push('isAdmin', 'admin', 'roles', 'permissions', 'scopes', 'userId', 'keyId', 'hash', 'salt', '_id')

  const operations = crawler.operations.filter(
    ({ body, name }) => body?.properties !== undefined && name.includes(only)
  )
  const faults: string[] = []
  let sent = 0
  let taken = 0
  for (const [place, operation] of operations.entries()) {
    const known = Object.keys(operation.body?.properties ?? {})
    const strangers = names.filter(name => !known.includes(name))
    for (const value of [`${mark}${place}`, number + place]) {
      const request = await crawler.validRequestOfAdmin(operation)
      if (typeof request.payload !== 'string') continue
      const more = Object.fromEntries(strangers.map(name => [name, value]))
      const { status } = await admin.send({
        ...request,
        payload: JSON.stringify({ ...more, ...JSON.parse(request.payload) })
      })
      sent += 1
      if (status < 300) taken += 1
      if (status >= 500) faults.push(`${operation.name}: ${status}`)
    }
  }
  for (const words of [mark, String(number).slice(0, 6)]) {
    for (const row of await findRows(store, words)) {
      const place = Number(/mass assignment (\d+)|918273(\d{6})/.exec(row)?.slice(1).join(''))
      faults.push(`${operations[place]?.name} has stored it: ${row.slice(0, 300)}`)
    }
  }
  // The walk's own things are not what this is about, but a table that cannot be searched would find nothing.
  const { rows } = await store.one<{ rows: number }>(new Sql('select count(*)::int as rows from platform.activity', []))
  if (rows < operations.length) faults.push('Nothing was written at all.')
  const measured = `${names.length} names in ${sent} bodies of ${operations.length} operations, ${taken} taken`
  return [toFinding('mass-assignment', measured, 'not one is stored', faults)]
}

const camelCased = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
