import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { isNewer, isVersion } from '#platform/release/newest-release.ts'
import { version } from '#platform/version.ts'
import { UsageError } from '../support/usage.ts'

/** The registry may be slow, but a person waits for it. */
const timeoutMs = 15_000

/** Says whether there is a newer release. Kalends does not update itself. */
export async function run(words: string[]): Promise<void> {
  const options = { check: { type: 'boolean' }, registry: { type: 'string' } } as const
  const { values } = parseArgs({ args: words, options })
  if (values.check !== true)
    throw new UsageError('update needs --check; docs/operations.md has the steps of an upgrade.')
  if (values.registry !== undefined && !/^https?:\/\/[^/]/.test(values.registry))
    throw new UsageError('--registry must be an http:// or https:// URL.')
  const newest = await findNewestRelease(values.registry)
  console.log(
    isNewer(newest, version)
      ? `Kalends ${newest} is newer than this one, ${version}. Read its CHANGELOG, create a backup, then install it.`
      : `Kalends ${version} is the newest release.`
  )
}

/** Asks npm, which knows the registry of this machine and its credentials. */
async function findNewestRelease(registry: string | undefined): Promise<string> {
  const words = ['view', 'kalends', 'version', '--json', '--fetch-retries=0', `--fetch-timeout=${timeoutMs}`]
  const chosen = registry === undefined ? [] : [`--registry=${registry}`]
  const output = await promisify(execFile)('npm', [...words, ...chosen]).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException & { stdout?: string }) => {
      if (error.code === 'ENOENT') throw new Error('npm is not installed; it is needed to find the newest release.')
      return error.stdout ?? ''
    }
  )
  const answer = parseJson(output)
  if (typeof answer === 'string' && isVersion(answer)) return answer
  const { code, summary } = (answer as { error?: { code?: string; summary?: string } } | undefined)?.error ?? {}
  if (code === 'E404') throw new Error('The npm registry has no releases of Kalends.')
  throw new Error(`npm did not report the newest release${summary ? `: ${summary.split('\n')[0]}` : '.'}`)
}

/** Undefined if npm printed no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
