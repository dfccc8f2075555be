import { buildVersionEtag } from '#platform/http/etag.ts'
import type { UpdateRow } from './queries.ts'
import type { CampaignUpdate } from './schema.ts'

export function forPublic({ version: _version, sentAt: _sentAt, ...shown }: UpdateRow): CampaignUpdate {
  return shown
}

/** For those who write campaigns: also when it was sent. */
export function forEditor({ version: _version, ...shown }: UpdateRow): CampaignUpdate {
  return shown
}

export function buildUpdateEtag(row: UpdateRow, view: 'editor' | 'public'): string {
  return buildVersionEtag(row.version, view)
}
