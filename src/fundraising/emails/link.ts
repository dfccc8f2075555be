import type { Settings } from '#platform/config.ts'
import type { Language } from '#platform/language.ts'
import { buildSitePath } from '#platform/messages/site-paths.ts'
import { decryptToken, type StoredToken } from '../encryption/donor-token.ts'
import type { EmailBlock } from './layout.ts'

/** The link to the donor's page; empty if the site's URL is unknown or the encryption key of the token is lost. */
export function buildDonationLink(
  settings: Settings,
  stored: StoredToken,
  { language, look }: { language: Language; look: string }
): EmailBlock[] {
  const token = settings.publicUrl === undefined ? null : decryptToken(settings, stored)
  return token === null ? [] : [{ link: settings.publicUrl + buildSitePath('thanks', language, token), label: look }]
}
