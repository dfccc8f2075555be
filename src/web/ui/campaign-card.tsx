import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { campaignText, pathToCampaign, standingOf } from '../campaign-text.ts'
import { counted, dayIn, daysUntil, money, plainDay } from '../format.ts'
import { splitProgress } from '../progress.ts'
import { donateWords } from '../text/donate.ts'
import type { Visit } from '../visit.ts'
import { Progress } from './progress.tsx'

/** A campaign in a list or on the home page: name, how far it has come, and the way to it. */
export function CampaignCard({
  visit: { language, now, site },
  campaign,
  heading: Heading = 'h3',
  target
}: {
  visit: Pick<Visit, 'language' | 'now' | 'site'>
  campaign: Campaign
  heading?: 'h2' | 'h3'
  /** The window that links open in, where it is not this one. */
  target?: '_top' | undefined
}) {
  const words = donateWords[language]
  const { name, description, lang, storyLang } = campaignText(campaign, language)
  const path = pathToCampaign(campaign, language)
  const standing = standingOf(campaign, now)
  const { promised } = splitProgress(campaign)
  const isOver = standing === 'closed' || standing === 'ended'
  return (
    <article class={isOver ? 'card campaign-card over' : 'card campaign-card'}>
      {campaign.imageUrl === null ? null : (
        <img class="campaign-card-image" src={campaign.imageUrl} alt={campaign.imageAlt} loading="lazy" />
      )}
      <Heading class="campaign-card-name" lang={lang}>
        <a href={path} target={target}>
          {name}
        </a>
      </Heading>
      {isOver ? (
        <p class="campaign-card-thanks">
          {words.thankYouSum(money(language, campaign.currency, campaign.amountTransferred))}
          {promised === 0 ? '' : `, ${words.promised(money(language, campaign.currency, promised))}`}
        </p>
      ) : (
        <>
          {description === '' ? null : (
            <p class="campaign-card-story" lang={storyLang}>
              {opening(description)}
            </p>
          )}
          <div class="campaign-card-foot">
            <Progress language={language} campaign={campaign} />
            <p class="campaign-card-facts">
              <span>{counted(language, campaign.donationCount, words.donation, words.donations)}</span>
              {campaign.endsAt === null || standing === 'soon' ? null : (
                <span>{words.daysLeft(daysUntil(campaign.endsAt, now))}</span>
              )}
            </p>
            {standing === 'soon' ? (
              <p class="campaign-card-soon">
                {words.startsOn(plainDay(language, dayIn(site.timezone, new Date(campaign.startsAt ?? now))))}
              </p>
            ) : (
              <a
                class="button campaign-card-button"
                href={`${path}#donate`}
                target={target}
                aria-label={words.donateTo(name)}
              >
                {words.donate}
              </a>
            )}
          </div>
        </>
      )}
    </article>
  )
}

const openingLength = 180

/** The first words of a story, cut between two of them. */
export function opening(story: string): string {
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
