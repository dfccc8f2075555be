import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getCampaignPath, getCampaignState, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'

/** The campaigns that an event supports, on the page of the event. */
export function EventCampaigns({
  context: { language, now },
  campaigns
}: {
  context: Pick<PageContext, 'language' | 'now'>
  campaigns: Campaign[]
}) {
  const strings = getMessages('campaign-page', language)
  if (campaigns.length === 0) return null
  return (
    <aside class="card event-campaigns" aria-label={strings.eventOf}>
      <p class="eyebrow">{strings.eventOf}</p>
      {campaigns.map(campaign => {
        const { name, lang } = getCampaignText(campaign, language)
        const path = getCampaignPath(campaign, language)
        return (
          <p key={campaign.id} class="actions">
            <a href={path} lang={lang} dir="auto">
              {name}
            </a>
            {getCampaignState(campaign, now) === 'open' ? (
              <a class="button small" href={`${path}#donate`} aria-label={strings.toDonate({ campaign: name })}>
                {strings.donate}
              </a>
            ) : null}
          </p>
        )
      })}
    </aside>
  )
}
