import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createTemplate } from '../support/database.ts'
import { checkThat, type FaultScenario, startDatabaseServer } from '../support/faults/scenario.ts'
import { root } from '../support/project-root.ts'

/** Each statement of every write fails once before it is sent and once after it was executed. */
export const failingStatements: FaultScenario = {
  name: 'failing-statements',
  run: async context => {
    const { url } = await startDatabaseServer(context)
    await createTemplate(url)
    const words = ['--import', 'tsx', '--test', '--test-reporter=tap']
    const child = spawn(process.execPath, [...words, 'test/faults/failing-statements.test.ts'], {
      cwd: root,
      // Quick: only the most important writes, as in CI.
      env: { ...process.env, TEST_DATABASE_URL: url, TEST_STORE: 'server', TEST_FULL: context.quick ? '' : 'yes' },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    context.onCleanup(async () => child.kill('SIGKILL'))
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const counted = /# (\d+ writes, \d+ failed statements)/.exec(output)?.[1] ?? 'none'
    const failed = [...output.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name ?? '')
    for (const name of failed) context.log(name)
    if (code !== 0) context.log(output.slice(-6000))
    return [
      checkThat(
        'all changes are stored or none, and another attempt succeeds',
        code === 0,
        `${counted}, ${failed.length} wrong`,
        '0 wrong'
      )
    ]
  }
}
