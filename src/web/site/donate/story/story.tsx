import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { PlainText } from '../../../components/plain-text.tsx'
import { RichText } from '../../../components/rich-text.tsx'
import { splitProgress } from '../../../format/progress.ts'
import { getText } from '../../../format/texts.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import { Gallery } from './gallery.tsx'
import { Items } from './items.tsx'
import { Milestones } from './milestones.tsx'

/** What a campaign tells: cover image, story, pictures, what the money is for, and milestones. */
export function Story({ language, campaign, story }: { language: Language; campaign: Campaign; story: CampaignStory }) {
  const { description, descriptionLang } = getCampaignText(campaign, language)
  const { text, lang } = getText(story.text, language)
  const { currency } = campaign
  return (
    <div class="campaign-story">
      {campaign.imageUrl === null ? null : (
        <img class="campaign-image" src={campaign.imageUrl} alt={campaign.imageAlt} fetchpriority="high" />
      )}
      {text !== '' ? (
        <RichText html={text} lang={lang} className="story" />
      ) : description === '' ? null : (
        <div class="story prose" lang={descriptionLang}>
          <PlainText text={description} />
        </div>
      )}
      <Gallery language={language} pictures={story.pictures} />
      <Items language={language} currency={currency} items={story.items} />
      <Milestones
        language={language}
        currency={currency}
        milestones={story.milestones}
        received={splitProgress(campaign).received}
      />
    </div>
  )
}
