// Mass assignment: the name of every column is put into every body, and none may be stored.
import { Sql, sql } from '#platform/database/sql.ts'
import { startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { findRows } from '../support/find-rows.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'

/** In no sample value; followed by the index of the operation. */
const mark = 'mass assignment '
const number = 918_273_000_000

export async function checkMassAssignment({ only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const { admin, store } = crawler
  const columns = await store.all<{ name: string }>(sql`
    select distinct column_name::text as name
    from information_schema.columns
    where table_schema in ('platform', 'fundraising', 'calendar')`)
  const names = [...new Set(columns.flatMap(({ name }) => [name, toCamelCase(name)]))]
  // Common names of other frameworks, and of permissions.
  names.push('isAdmin', 'admin', 'roles', 'permissions', 'scopes', 'userId', 'keyId', 'hash', 'salt', '_id')

  const operations = crawler.operations.filter(
    ({ body, name }) => body?.properties !== undefined && name.includes(only)
  )
  const faults: string[] = []
  let sent = 0
  let acceptedCount = 0
  for (const [place, operation] of operations.entries()) {
    const known = Object.keys(operation.body?.properties ?? {})
    const unknownNames = names.filter(name => !known.includes(name))
    for (const value of [`${mark}${place}`, number + place]) {
      const request = await crawler.validRequestOfAdmin(operation)
      if (typeof request.payload !== 'string') continue
      const more = Object.fromEntries(unknownNames.map(name => [name, value]))
      const { status } = await admin.send({
        ...request,
        payload: JSON.stringify({ ...more, ...JSON.parse(request.payload) })
      })
      sent += 1
      if (status < 300) acceptedCount += 1
      if (status >= 500) faults.push(`${operation.name}: ${status}`)
    }
  }
  // Six digits also occur by chance in the bytes of a hundred PDF files.
  for (const words of [mark, String(number).slice(0, 9)]) {
    for (const row of await findRows(store, words)) {
      const place = Number(/mass assignment (\d+)|918273(\d{6})/.exec(row)?.slice(1).join(''))
      faults.push(`${operations[place]?.name} has stored it: ${row.slice(0, 300)}`)
    }
  }
  // Makes sure that something was stored at all, so that the search can find it.
  const { rows } = await store.one<{ rows: number }>(new Sql('select count(*)::int as rows from platform.activity', []))
  if (rows < operations.length) faults.push('nothing was stored at all')
  const measured = `${names.length} names in ${sent} bodies of ${operations.length} operations, ${acceptedCount} accepted`
  return [toFinding('mass-assignment', measured, 'not one is stored', faults)]
}

const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
