// Runs one security check in a process of its own, so that its servers end with it and its effects on the process can be measured.
import { test } from 'node:test'
import { type Effort, securityChecks } from './checks.ts'

const [name = '', effort = '{}'] = process.argv.slice(2)

test(name, async () => {
  const check = await securityChecks[name]?.()
  if (check === undefined) throw new Error(`There is no check ${name}.`)
  process.send?.(await check(JSON.parse(effort) as Effort))
})
