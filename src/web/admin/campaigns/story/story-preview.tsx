import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Progress } from '../../../components/progress.tsx'
import { Title } from '../../../components/title.tsx'
import { splitProgress } from '../../../format/progress.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import { loadUploadedImages } from '../../../server/uploaded-images.ts'
import { Story } from '../../../site/donate/story/story.tsx'
import { canShowImage } from '../../images/image-field.tsx'
import type { AdminContext, SitePage } from '../../shared/context.ts'
import { parseCents, toCents } from '../../shared/parse-amount.ts'
import { sanitizePreview } from '../../shared/sanitize-preview.ts'
import { type StoryInput, toTexts } from './story-input.ts'

/** Shows the form's input, saved or not, as on the page of the campaign. */
export async function buildStoryPreview(
  context: AdminContext,
  campaign: Campaign,
  input: StoryInput
): Promise<SitePage> {
  const { language } = context
  const strings = getMessages('story-admin', language)
  const { name, lang } = getCampaignText(campaign, language)
  const images = await loadUploadedImages(context, [campaign.imageUrl, ...input.pictures.map(({ url }) => url)])
  return {
    language,
    sitePage: {
      title: `${strings.previewTitle}: ${name}`,
      menu: 'donate',
      noindex: true,
      styles: 'donate',
      alternates: {},
      body: (
        <>
          <p class="notice warn no-print">{strings.previewBar}</p>
          <div class="campaign">
            <div class="campaign-front">
              <header class="campaign-head">
                <Title text={name} lang={lang} />
              </header>
              <section class="card campaign-figures">
                <Progress language={language} campaign={campaign} large />
              </section>
              <Story
                language={language}
                campaign={campaign}
                story={toStory(context, campaign, input)}
                images={images}
              />
            </div>
          </div>
        </>
      )
    }
  }
}

/** The story that saving would give, without what cannot be read. */
function toStory({ language }: AdminContext, campaign: Campaign, input: StoryInput): CampaignStory {
  const { received } = splitProgress(campaign)
  const toAmount = (typed: string) => {
    const cents = parseCents(typed, language)
    return typeof cents === 'number' ? cents / 100 : 0
  }
  let left = toCents(received)
  return {
    campaignId: campaign.id,
    text: toTexts(sanitizePreview(input.text_en), sanitizePreview(input.text_de)),
    pictures: input.pictures
      .filter(({ url }) => canShowImage(url))
      .map(row => ({
        url: row.url,
        isDecorative: row.decorative !== '',
        alt: toTexts(row.alt_en, row.alt_de),
        caption: toTexts(row.caption_en, row.caption_de)
      })),
    items: input.items
      .filter(({ amount }) => toAmount(amount) > 0)
      .map(row => {
        const [amount, quantity] = [toAmount(row.amount), Math.max(1, Math.floor(Number(row.quantity)) || 1)]
        const covered = Math.min(left, toCents(amount * quantity))
        left -= covered
        const texts = { title: toTexts(row.title_en, row.title_de), text: toTexts(row.text_en, row.text_de) }
        return { ...texts, amount, quantity, amountCovered: covered / 100 }
      }),
    milestones: input.milestones
      .map(row => ({ title: toTexts(row.title_en, row.title_de), amount: toAmount(row.amount) }))
      .sort((one, other) => one.amount - other.amount)
      .map(({ title, amount }) => ({ title, amount, isReached: received >= amount, reachedOn: null })),
    updatedAt: null
  }
}
