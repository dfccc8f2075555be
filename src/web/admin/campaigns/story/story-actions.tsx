import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../../shared/context.ts'

/** Links from the editor of a campaign to its story and its offline amounts. */
export function StoryActions({ context, campaign: { id } }: { context: AdminContext; campaign: Campaign }) {
  const strings = getMessages('story-admin', context.language)
  return (
    <>
      <a class="button quiet" href={`/admin/campaigns/${id}/story`}>
        {strings.text}
      </a>
      {context.hasRole('treasurer') ? (
        <a class="button quiet" href={`/admin/campaigns/${id}/offline-amounts`}>
          {strings.offline.title}
        </a>
      ) : null}
    </>
  )
}
