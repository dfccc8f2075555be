import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { fetchBytes, SafeFetchError } from '#platform/safe-fetch.ts'
import type { ImportRequest, SourceContext } from '../source.ts'

const bytesMax = 10 * 1024 * 1024
const fetchMs = 30_000

/** The uploaded file, or the content at the URL. */
export async function readSourceFile(
  { file, url }: ImportRequest,
  { settings, signal }: SourceContext,
  accept: string
): Promise<Buffer> {
  signal.throwIfAborted()
  if (file !== null) {
    if (file.length > bytesMax) throw newFileTooLargeProblem()
    return file
  }
  if (url === null) throw newNoSourceProblem()
  try {
    const fetched = await fetchBytes(toHttpUrl(url), {
      allowPrivate: settings.allowPrivateAddresses,
      bytesMax,
      timeoutMs: fetchMs,
      redirectsMax: 5,
      accept
    })
    if (fetched.status !== 200) throw newFetchFailedProblem(`HTTP ${fetched.status}`)
    return fetched.bytes
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    throw error.reason === 'too-large' ? newFileTooLargeProblem() : newFetchFailedProblem(error.reason)
  }
}

/** Calendar links use webcal:, which subscribing clients treat as https:. */
export function toHttpUrl(url: string): string {
  return url.replace(/^webcals?:/i, 'https:')
}

/** The name of a file without what copies and versions add: ` (1)`, `-2027-03`. */
export function buildFileKey(fileName: string | null): string {
  return (fileName ?? '')
    .slice(0, 200)
    .toLowerCase()
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
}

export const newFileTooLargeProblem = () =>
  new Problem(413, 'import-too-large', buildText('import-problems', 'fileTooLarge'))

const newNoSourceProblem = () => new Problem(400, 'import-without-source', buildText('import-problems', 'noSource'))

export const newFetchFailedProblem = (why: string) =>
  new Problem(400, 'import-not-fetched', buildText('import-problems', 'fetchFailed', { why }))
