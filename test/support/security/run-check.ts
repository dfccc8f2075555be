// Runs one security check in a process of its own, so that its servers end with it and its effects on the process can be measured.
import { test } from 'node:test'
import { type Effort, securityChecks } from './checks.ts'

const [name = '', effort = '{}'] = process.argv.slice(2)

test(name, async () => {
  const part = await securityChecks[name]?.()
  if (part === undefined) throw new Error(`There is no part ${name}.`)
  process.send?.(await part(JSON.parse(effort) as Effort))
})
