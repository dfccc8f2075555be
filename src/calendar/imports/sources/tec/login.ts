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
  new Problem(400, 'import-login-unsafe', {
    en: 'The password was not sent: the site redirects to another host, or does not use https. Give its final https URL.',
    de: 'Das Passwort wurde nicht gesendet: Die Website leitet auf einen anderen Host um oder nutzt kein https. Bitte die endgültige https-URL angeben.'
  })

const newLoginFailedProblem = () =>
  new Problem(400, 'import-login-failed', {
    en: 'The site did not accept the user name and application password, or this user may not edit events.',
    de: 'Die Website hat Benutzername und Anwendungspasswort nicht angenommen, oder dieser Benutzer darf keine Termine bearbeiten.'
  })
