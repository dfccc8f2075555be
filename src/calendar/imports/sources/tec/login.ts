import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { normalizeHost } from '#platform/rich-text/html.ts'
import type { SourceContext, SourceLogin } from '../source.ts'
import { fetchJson, type RemoteSite } from './remote-site.ts'

/** Everything but the trash. */
export const unpublishedStatuses = 'publish,draft,pending,future,private'

/** Adds the credentials to all requests, if the site accepts them and their user may read unpublished events. */
export async function logIn(
  site: RemoteSite,
  { user, password }: SourceLogin,
  given: string,
  tools: SourceContext
): Promise<RemoteSite> {
  const isSameHost = normalizeHost(site.root.host) === normalizeHost(new URL(given).host)
  const isEncrypted = site.root.protocol === 'https:' || tools.settings.allowPrivateAddresses
  if (!isSameHost || !isEncrypted) throw newUnsafeLoginProblem()
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const known = { ...site, authorization }
  const answer = await fetchJson(known, '/events', { per_page: 1, status: 'draft' }, { tools })
  if (answer?.status !== 200) throw newLoginFailedProblem()
  return known
}

const newUnsafeLoginProblem = () =>
  new Problem(400, 'import-login-unsafe', buildText('import-source-reasons', 'unsafeLogin'))

const newLoginFailedProblem = () =>
  new Problem(400, 'import-login-failed', buildText('import-source-reasons', 'loginFailed'))
