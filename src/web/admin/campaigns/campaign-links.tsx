import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../shared/context.ts'

/** Links from a campaign to the pages of its further parts. */
export function CampaignLinks({ context, id }: { context: AdminContext; id: number }) {
  const strings = getMessages('campaign-links', context.language)
  return (
    <>
      <a class="button quiet" href={`/admin/campaigns/${id}/updates`}>
        {strings.updates}
      </a>
      <a class="button quiet" href={`/admin/campaigns/${id}/presentation`}>
        {strings.presentation}
      </a>
    </>
  )
}

/** Link from the list to what all campaigns share. */
export function PresentationLink({ context }: { context: AdminContext }) {
  return (
    <a class="button quiet" href="/admin/presentation">
      {getMessages('campaign-links', context.language).defaults}
    </a>
  )
}
