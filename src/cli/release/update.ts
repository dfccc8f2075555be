import { parseArgs } from 'node:util'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { version } from '#platform/version.ts'
import { UsageError } from '../support/usage.ts'

/** The registry may be slow, but a person waits for it. */
const timeoutMs = 15_000

/** Says whether there is a newer release. Kalends asks only here, and does not update itself. */
export async function run(words: string[]): Promise<void> {
  const options = { check: { type: 'boolean' }, registry: { type: 'string' } } as const
  const { values } = parseArgs({ args: words, options })
  if (values.check !== true)
    throw new UsageError('update needs --check; docs/operations.md has the steps of an upgrade.')
  const registry = values.registry ?? 'https://registry.npmjs.org/'
  const newest = await findNewestRelease(registry)
  console.log(
    isNewer(newest, version)
      ? `Kalends ${newest} is newer than this one, ${version}. Read its CHANGELOG, create a backup, then install it.`
      : `Kalends ${version} is the newest release.`
  )
}

async function findNewestRelease(registry: string): Promise<string> {
  if (!canParseUrl(registry) || !/^https?:/.test(registry)) {
    throw new UsageError(`--registry must be an http:// or https:// URL. It is ${JSON.stringify(registry)}.`)
  }
  const url = new URL('kalends', registry.endsWith('/') ? registry : `${registry}/`)
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    throw new Error(`${url.host} does not answer: ${(error.cause as Error | undefined)?.message ?? error.message}`)
  })
  if (response.status === 404) throw new Error(`${url.host} has no releases of Kalends.`)
  const body = response.ok ? ((await response.json()) as { 'dist-tags'?: { latest?: unknown } }) : {}
  const newest = body['dist-tags']?.latest
  if (typeof newest !== 'string' || !/^\d+\.\d+\.\d+/.test(newest)) {
    throw new Error(`${url.host} does not say which release is the newest (status ${response.status}).`)
  }
  return newest
}

/** Compares the numbers; a pre-release is never newer than the release that it precedes. */
function isNewer(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map(text => (text.split('-')[0] ?? '').split('.').map(Number))
  const difference = [0, 1, 2].map(place => (numbers?.[place] ?? 0) - (others?.[place] ?? 0)).find(value => value !== 0)
  return (difference ?? 0) > 0
}
