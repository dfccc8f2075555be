// What testers once found, each by the tests that keep it closed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../support/project-root.ts'
import { type Finding, toFinding } from '../support/security/checks.ts'

/** Which tests keep which hole closed. docs/security.md has the same list for readers. */
export const regressionTests: Record<string, string[]> = {
  'strangers behind a plain proxy are nobody': [
    ...['proxy', 'peer', 'host-header', 'untrusted-proxy'].map(name => `src/platform/local/${name}.test.ts`),
    'src/platform/auth/protected-mode.test.ts',
    'src/platform/setup/setup.test.ts'
  ],
  'strangers do not fill the memory with bodies': ['test/crawl/request-bodies.test.ts'],
  'a planted cookie says and does nothing': [
    'src/web/admin/shared/flash.test.ts',
    'src/web/admin/auth/sign-in.test.ts'
  ],
  'markup holds up nobody': ['src/calendar/content/markup-budget.test.ts'],
  'strangers lock nobody out': [
    'src/platform/auth/brute-force-protection/attempts.test.ts',
    'src/platform/auth/passwords/fair-queue.test.ts'
  ],
  'passwords are not guessed': [
    'src/platform/auth/sessions/sessions.test.ts',
    'src/calendar/contract/routing/post-password.test.ts'
  ],
  'secrets are encrypted in tables and backups': ['src/fundraising/encryption/rotate.test.ts'],
  'keys end with their maker': ['src/platform/auth/keys/makers.test.ts'],
  'codes are drawn once': ['src/fundraising/payments/girocode/girocode.test.ts'],
  'what is made inside an event is as public as the event': [
    'src/calendar/events/inline.test.ts',
    'src/calendar/linked-posts/states.test.ts',
    'src/calendar/terms/event-terms.test.ts',
    'src/calendar/events/publication.test.ts'
  ],
  'visitors do not share answers': ['src/platform/http/idempotency.test.ts'],
  'accounts are protected by more than a password': [
    'src/platform/auth/second-factor/factor.test.ts',
    'src/platform/auth/passkeys/passkeys.test.ts',
    'src/platform/auth/second-factor/policy.test.ts',
    'src/platform/auth/sessions/confirmation.test.ts',
    'src/platform/auth/sessions/own-sessions.test.ts',
    'src/platform/auth/passwords/context-words.test.ts',
    'src/fundraising/account-requests/account-requests.test.ts'
  ],
  'the activity log cannot be changed unnoticed': ['src/platform/activity/chain/chain.test.ts'],
  'people come in without being told a password': [
    'src/platform/auth/invitations/invitations.test.ts',
    'src/platform/auth/password-resets/password-resets.test.ts',
    'src/platform/auth/openid/openid.test.ts'
  ],
  'old releases of PostgreSQL and packages are told of': [
    'src/platform/database/embedded/binaries.test.ts',
    'test/architecture/advisories.test.ts'
  ]
}

export async function checkRegressions(): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [hole, files] of Object.entries(regressionTests)) findings.push(await testFiles(hole, files))
  return findings
}

async function testFiles(hole: string, files: string[]): Promise<Finding> {
  const words = ['--conditions=source', '--import', 'tsx', 'scripts/test.ts', '--on', 'embedded', ...files]
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  const failed = [...output.matchAll(/^ *✖ (.*?)(?: \([\d.]+ms\))?$/gm)].map(([, name = '']) => name)
  const passed = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0)
  const faults = code === 0 && passed > 0 ? [] : failed.length > 0 ? failed : [`npm test ended with ${code}`]
  return toFinding(hole, `${passed} tests`, 'all pass', faults)
}
