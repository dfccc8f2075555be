// One part of the attack in a process of its own: what it starts goes with it, and what it does to the process shows.
import { test } from 'node:test'
import { type Effort, securityChecks } from './checks.ts'

const [name = '', effort = '{}'] = process.argv.slice(2)

test(name, async () => {
  const part = await securityChecks[name]?.()
  if (part === undefined) throw new Error(`There is no part ${name}.`)
  process.send?.(await part(JSON.parse(effort) as Effort))
})
