import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { countDaysUntil, formatDay, formatMoney, toLocalDay } from '../format/format.ts'
import { splitProgress } from '../format/progress.ts'
import { getCampaignPath, getCampaignState, getCampaignText } from '../server/campaign-text.ts'
import type { PageContext } from '../server/context.ts'
import type { UploadedImages } from '../server/uploaded-images.ts'
import { ImageAtUrl } from './picture.tsx'
import { Progress } from './progress.tsx'

/** A campaign in a list or on the home page: name, progress and link. */
export function CampaignCard({
  context: { language, now, site },
  campaign,
  images,
  heading: Heading = 'h3',
  isFirst = false,
  target
}: {
  context: Pick<PageContext, 'language' | 'now' | 'site'>
  campaign: Campaign
  images: UploadedImages
  heading?: 'h2' | 'h3'
  /** On top of a page: its image loads at once. */
  isFirst?: boolean
  /** Link target, for embeds. */
  target?: '_top' | undefined
}) {
  const strings = getMessages('donate', language)
  const { name, description, lang, descriptionLang } = getCampaignText(campaign, language)
  const path = getCampaignPath(campaign, language)
  const standing = getCampaignState(campaign, now)
  const { received, promised } = splitProgress(campaign)
  const isOver = standing === 'closed' || standing === 'ended'
  return (
    <article class={isOver ? 'card campaign-card over' : 'card campaign-card'}>
      {campaign.imageUrl === null ? null : (
        <ImageAtUrl
          className="campaign-card-image"
          url={campaign.imageUrl}
          images={images}
          sizes="(min-width: 48rem) 24rem, 100vw"
          alt={campaign.imageAlt}
          isFirst={isFirst}
        />
      )}
      <Heading class="campaign-card-name" lang={lang}>
        <a href={path} target={target}>
          {name}
        </a>
      </Heading>
      {isOver ? (
        <p class="campaign-card-thanks">
          {received === 0
            ? strings.thankYou
            : strings.thankYouSum({ received: formatMoney(language, campaign.currency, received) })}
          {received === 0 || promised === 0
            ? ''
            : `, ${strings.promised({ sum: formatMoney(language, campaign.currency, promised) })}`}
        </p>
      ) : (
        <>
          {description === '' ? null : (
            <p class="campaign-card-story" lang={descriptionLang}>
              {truncateStory(description)}
            </p>
          )}
          <div class="campaign-card-foot">
            <Progress language={language} campaign={campaign} />
            <p class="campaign-card-facts">
              <span>{strings.donations({ count: campaign.donationCount })}</span>
              {campaign.endsAt === null || standing === 'soon' ? null : (
                <span>{strings.daysLeft({ days: countDaysUntil(campaign.endsAt, now) })}</span>
              )}
            </p>
            {standing === 'soon' ? (
              <p class="campaign-card-soon">
                {strings.startsOn({
                  day: formatDay(language, toLocalDay(site.timezone, new Date(campaign.startsAt ?? now)))
                })}
              </p>
            ) : (
              <a
                class="button campaign-card-button"
                href={`${path}#donate`}
                target={target}
                aria-label={strings.donateTo({ name })}
              >
                {strings.donate}
              </a>
            )}
          </div>
        </>
      )}
    </article>
  )
}

const openingLength = 180

/** Beginning of a story, cut at a word. */
export function truncateStory(story: string): string {
  const line = story
    .slice(0, openingLength * 3)
    .split(/\s+/)
    .filter(word => word !== '')
    .join(' ')
  if (line.length <= openingLength) return line
  const cut = line.slice(0, openingLength)
  const lastBlank = cut.lastIndexOf(' ')
  return `${lastBlank < openingLength / 2 ? cut : cut.slice(0, lastBlank)} …`
}
