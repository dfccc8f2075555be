import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ImageAtUrl } from '../../components/picture.tsx'
import { Progress } from '../../components/progress.tsx'
import { truncateText } from '../../format/plain-text.ts'
import { compareByEnd, getCampaignState } from '../../server/campaign-text.ts'
import { buildCampaignSlug, getPath } from '../../server/paths.ts'
import type { UploadedImages } from '../../server/uploaded-images.ts'

/** The campaign of the setting while it is open; else the open campaign that ends next. */
export function chooseCampaign(campaigns: Campaign[], now: Date, chosenId: number | null): Campaign | undefined {
  const open = campaigns.filter(one => getCampaignState(one, now) === 'open').sort(compareByEnd)
  return open.find(({ id }) => id === chosenId) ?? open[0]
}

/** One campaign with its progress and the donate link. */
export function HomeCampaign({
  language,
  campaign,
  images
}: {
  language: Language
  campaign: Campaign
  images: UploadedImages
}) {
  const strings = getMessages('calendar', language).home
  const translated = campaign.language === language ? undefined : campaign.translations[language]
  const { name, description } = translated ?? campaign
  const foreign = campaign.language === language || translated !== undefined ? {} : { lang: campaign.language }
  const href = getPath('campaign', language, buildCampaignSlug(campaign.id, name))
  return (
    <section class="card home-campaign" aria-labelledby="home-campaign">
      {campaign.imageUrl === null ? null : (
        <ImageAtUrl
          className="home-campaign-image"
          url={campaign.imageUrl}
          images={images}
          sizes="(min-width: 62rem) 22rem, calc(100vw - 4rem)"
          alt={campaign.imageAlt}
        />
      )}
      <p class="eyebrow">{strings.support}</p>
      <h2 id="home-campaign">
        <a href={href} {...foreign}>
          {name}
        </a>
      </h2>
      {description === '' ? null : <p {...foreign}>{truncateText(description.slice(0, 400), 160)}</p>}
      <Progress language={language} campaign={campaign} />
      <p class="actions">
        <a class="button" href={href} aria-label={strings.donateTo({ campaign: name })}>
          {strings.donate}
        </a>
        <a href={getPath('campaigns', language)}>{strings.allCampaigns}</a>
      </p>
    </section>
  )
}
