import type { Settings } from '#platform/config.ts'
import { openToken, type StoredToken } from '../donor-token.ts'
import type { Block } from './layout.ts'

/** The donor's own page; nothing where nobody knows the address of the site, or the key of the link is lost. */
export function linkToDonation(
  settings: Settings,
  stored: StoredToken,
  { page, look }: { page: string; look: string }
): Block[] {
  const token = settings.publicUrl === undefined ? null : openToken(settings, stored)
  return token === null ? [] : [{ link: settings.publicUrl + page + token, label: look }]
}
