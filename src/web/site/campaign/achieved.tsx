import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CampaignCard } from '../../components/campaign-card.tsx'
import type { PageContext } from '../../server/context.ts'
import type { UploadedImages } from '../../server/uploaded-images.ts'

/** Open campaigns, on the page of one that is over. */
export function OpenCampaigns({
  context,
  campaigns,
  images
}: {
  context: PageContext
  campaigns: Campaign[]
  images: UploadedImages
}) {
  if (campaigns.length === 0) return null
  return (
    <section class="campaign-others" aria-labelledby="open-campaigns">
      <h2 id="open-campaigns">{getMessages('campaign-page', context.language).openCampaigns}</h2>
      <div class="campaigns-grid small">
        {campaigns.map(campaign => (
          <CampaignCard key={campaign.id} context={context} campaign={campaign} images={images} />
        ))}
      </div>
    </section>
  )
}
