import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { ImageAtUrl } from '../../../components/picture.tsx'
import { PlainText } from '../../../components/plain-text.tsx'
import { RichText } from '../../../components/rich-text.tsx'
import { splitProgress } from '../../../format/progress.ts'
import { getText } from '../../../format/texts.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import type { UploadedImages } from '../../../server/uploaded-images.ts'
import { Gallery } from './gallery.tsx'
import { Items } from './items.tsx'
import { Milestones } from './milestones.tsx'

/** The column beside the form, or the whole page without it. */
export const storyImageSizes = '(min-width: 62rem) 39rem, calc(100vw - 2rem)'

/** What a campaign tells: cover image, story, pictures, what the money is for, and milestones. */
export function Story({
  language,
  campaign,
  story,
  images
}: {
  language: Language
  campaign: Campaign
  story: CampaignStory
  images: UploadedImages
}) {
  const { description, descriptionLang } = getCampaignText(campaign, language)
  const { text, lang } = getText(story.text, language)
  const { currency } = campaign
  return (
    <div class="campaign-story">
      {campaign.imageUrl === null ? null : (
        <ImageAtUrl
          className="campaign-image"
          url={campaign.imageUrl}
          images={images}
          sizes={storyImageSizes}
          alt={campaign.imageAlt}
          isFirst
        />
      )}
      {text !== '' ? (
        <RichText html={text} lang={lang} className="story" />
      ) : description === '' ? null : (
        <div class="story prose" lang={descriptionLang}>
          <PlainText text={description} />
        </div>
      )}
      <Gallery language={language} pictures={story.pictures} images={images} />
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
