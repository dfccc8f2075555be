// Findings of earlier security tests, each with the tests that fail if it returns.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../support/project-root.ts'
import { type Finding, toFinding } from '../support/security/checks.ts'

/** The tests of each finding. docs/requirements.md has the same list. */
export const regressionTests: Record<string, string[]> = {
  'requests through a plain proxy are anonymous': [
    'src/platform/auth/local-access/proxy.test.ts',
    'src/platform/auth/local-access/peer-process.test.ts',
    'src/platform/auth/local-access/untrusted-proxy.test.ts',
    'src/platform/http/host-header.test.ts',
    'src/platform/auth/protected-mode.test.ts',
    'src/platform/setup/setup.test.ts'
  ],
  'request bodies of anonymous callers do not exhaust memory': ['test/crawl/request-bodies.test.ts'],
  'a forged cookie has no effect': ['src/web/admin/shared/flash.test.ts', 'src/web/admin/auth/sign-in.test.ts'],
  'large markup does not block other requests': ['src/calendar/content/markup-budget.test.ts'],
  'failed sign-ins of others do not lock an account out': [
    'src/platform/auth/brute-force-protection/attempts.test.ts',
    'src/platform/auth/passwords/fair-queue.test.ts'
  ],
  'guessing of passwords is limited': [
    'src/platform/auth/sessions/sessions.test.ts',
    'src/calendar/contract/routing/post-password.test.ts'
  ],
  'secrets are encrypted in tables and backups': ['src/fundraising/encryption/rotate.test.ts'],
  'keys end with the account that created them': ['src/platform/auth/keys/makers.test.ts'],
  'payment codes are rendered once and cached': ['src/fundraising/payments/girocode/girocode.test.ts'],
  'items created inside an event are as public as the event': [
    'src/calendar/events/inline.test.ts',
    'src/calendar/linked-posts/states.test.ts',
    'src/calendar/terms/event-terms.test.ts',
    'src/calendar/events/publication.test.ts'
  ],
  'anonymous callers do not share idempotent responses': ['src/platform/http/idempotency.test.ts'],
  'accounts are protected by a second factor and by confirmation': [
    'src/platform/auth/second-factor/factor.test.ts',
    'src/platform/auth/passkeys/passkeys.test.ts',
    'src/platform/auth/second-factor/policy.test.ts',
    'src/platform/auth/sessions/confirmation.test.ts',
    'src/platform/auth/sessions/own-sessions.test.ts',
    'src/platform/auth/passwords/context-words.test.ts',
    'src/fundraising/account-requests/account-requests.test.ts'
  ],
  'changes to the activity log are detected': ['src/platform/activity/chain/chain.test.ts'],
  'invitations and resets need no password from another person': [
    'src/platform/auth/invitations/invitations.test.ts',
    'src/platform/auth/password-resets/password-resets.test.ts',
    'src/platform/auth/openid/openid.test.ts'
  ],
  'outdated PostgreSQL and vulnerable packages are reported': [
    'src/platform/database/embedded/binaries.test.ts',
    'test/architecture/advisories.test.ts'
  ]
}

export async function checkRegressions(): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, files] of Object.entries(regressionTests)) findings.push(await runTestFiles(name, files))
  return findings
}

async function runTestFiles(name: string, files: string[]): Promise<Finding> {
  const words = ['--import', 'tsx', 'scripts/test.ts', '--on', 'embedded', ...files]
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  const failed = [...output.matchAll(/^ *✖ (.*?)(?: \([\d.]+ms\))?$/gm)].map(([, test = '']) => test)
  const passed = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0)
  const faults = code === 0 && passed > 0 ? [] : failed.length > 0 ? failed : [`npm test ended with ${code}`]
  return toFinding(name, `${passed} tests`, 'all pass', faults)
}
