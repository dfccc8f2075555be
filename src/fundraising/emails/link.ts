import type { Settings } from '#platform/config.ts'
import { decryptToken, type StoredToken } from '../encryption/donor-token.ts'
import type { EmailBlock } from './layout.ts'

/** The donor's own page; nothing where nobody knows the address of the site, or the key of the link is lost. */
export function buildDonationLink(
  settings: Settings,
  stored: StoredToken,
  { page, look }: { page: string; look: string }
): EmailBlock[] {
  const token = settings.publicUrl === undefined ? null : decryptToken(settings, stored)
  return token === null ? [] : [{ link: settings.publicUrl + page + token, label: look }]
}
