import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { getOtherLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../../shared/context.ts'

export const updatesPattern = '/admin/campaigns/:id/updates'

export function getUpdatesMenu({ params }: Pick<AdminContext, 'params'>): string {
  return `/admin/campaigns/${encodeURIComponent(params.id ?? '')}/updates`
}

export function getUpdateApiPath({ params }: Pick<AdminContext, 'params'>): string {
  return `/campaigns/${encodeURIComponent(params.id ?? '')}/updates/${encodeURIComponent(params.update ?? '')}`
}

/** The title in the user's language, else in the other one. */
export function getUpdateTitle({ language }: Pick<AdminContext, 'language'>, { texts }: CampaignUpdate): string {
  return (texts[language] ?? texts[getOtherLanguage(language)])?.title ?? getMessages('update', language).untitled
}
