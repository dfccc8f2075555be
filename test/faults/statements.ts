import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createTemplate } from '../support/database.ts'
import { checkThat, type FaultScenario, startDatabaseServer } from '../support/faults/scenario.ts'
import { root } from '../support/project-root.ts'

/** Each statement of every write that there is fails once before it is sent and once after it was done. */
export const failingStatements: FaultScenario = {
  name: 'failing-statements',
  run: async given => {
    const { url } = await startDatabaseServer(given)
    await createTemplate(url)
    const words = ['--import', 'tsx', '--test', '--test-reporter=tap']
    const child = spawn(process.execPath, [...words, 'test/faults/failing-statements.test.ts'], {
      cwd: root,
      // Quick: only those where most is at stake, as in CI.
      env: { ...process.env, TEST_DATABASE_URL: url, TEST_STORE: 'server', TEST_FULL: given.quick ? '' : 'yes' },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    given.onCleanup(async () => child.kill('SIGKILL'))
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const counted = /# (\d+ writes, \d+ statements broken)/.exec(output)?.[1] ?? 'none'
    const failed = [...output.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name ?? '')
    for (const name of failed) given.log(name)
    if (code !== 0) given.log(output.slice(-6000))
    return [
      checkThat(
        'all is done or nothing, and another try does it',
        code === 0,
        `${counted}, ${failed.length} wrong`,
        '0 wrong'
      )
    ]
  }
}
