import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../../money/money.ts'
import { buildUrlSchema } from '../../url.ts'
import { buildTextsInputSchema, buildTextsSchema } from '../texts.ts'

export const storyLengths = { text: 100_000, title: 140, itemText: 600, alt: 300, caption: 300 } as const
export const storyListsMax = { pictures: 24, items: 24, milestones: 12 } as const
const quantityMax = 100_000

const PictureMembers = {
  url: Type.String(),
  isDecorative: Type.Boolean({ description: 'True if the picture says nothing that the text does not say.' })
}

export const CampaignStory = NamedObject('CampaignStory', {
  campaignId: Type.Integer(),
  text: buildTextsSchema('Story as sanitized HTML. Without one, pages show the description of the campaign.'),
  pictures: Type.Array(
    Type.Object({
      ...PictureMembers,
      alt: buildTextsSchema('Alternative text; empty only if the picture is decorative.'),
      caption: buildTextsSchema('Caption.')
    })
  ),
  items: Type.Array(
    Type.Object({
      title: buildTextsSchema('Title.'),
      text: buildTextsSchema('Plain text.'),
      amount: buildAmountSchema('Cost of one.'),
      quantity: Type.Integer({ description: 'How many are needed.' }),
      amountCovered: buildAmountSchema(
        'Part of amount × quantity that is covered: received money and offline amounts cover the items in their order.'
      )
    }),
    { description: 'What the money is for.' }
  ),
  milestones: Type.Array(
    Type.Object({
      title: buildTextsSchema('Title.'),
      amount: buildAmountSchema('Amount at which the milestone is reached.'),
      isReached: Type.Boolean({ description: 'Whether received money and offline amounts reach the amount.' }),
      reachedOn: Nullable(
        Type.String({ format: 'date', description: 'Day on which it was reached; null if it is not known exactly.' })
      )
    }),
    { description: 'By amount, ascending.' }
  ),
  updatedAt: Nullable(Type.String({ format: 'date-time' }))
})
export type CampaignStory = Static<typeof CampaignStory>

const { pictures, items, milestones } = storyListsMax

const NewPicture = Type.Object({
  url: buildUrlSchema('URL, or a path on this site.'),
  alt: Type.Optional(
    buildTextsInputSchema('Alternative text; required unless the picture is decorative.', storyLengths.alt)
  ),
  isDecorative: Type.Optional(Type.Boolean({ default: false })),
  caption: Type.Optional(buildTextsInputSchema('Caption.', storyLengths.caption))
})

const NewItem = Type.Object({
  title: buildTextsInputSchema('Title; required in at least one language.', storyLengths.title),
  text: Type.Optional(buildTextsInputSchema('Plain text.', storyLengths.itemText)),
  amount: buildAmountInputSchema('Cost of one.', 1),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: quantityMax, default: 1 }))
})

const NewMilestone = Type.Object({
  title: buildTextsInputSchema('Title; required in at least one language.', storyLengths.title),
  amount: buildAmountInputSchema('Amount at which the milestone is reached.', 1)
})

const StoryText = Type.Optional(
  Nullable(
    Type.String({ text: true, maxLength: storyLengths.text, description: 'HTML; null or an empty text removes it.' })
  )
)

/** The body of a PATCH: a JSON merge patch, in which a list replaces the list before. */
export const CampaignStoryPatch = NamedObject('CampaignStoryPatch', {
  text: Type.Optional(Nullable(Type.Object(buildLanguageProperties(StoryText)))),
  pictures: Type.Optional(Nullable(Type.Array(NewPicture, { maxItems: pictures, description: 'In their order.' }))),
  items: Type.Optional(Nullable(Type.Array(NewItem, { maxItems: items, description: 'In their order.' }))),
  milestones: Type.Optional(Nullable(Type.Array(NewMilestone, { maxItems: milestones })))
})
export type CampaignStoryPatch = Static<typeof CampaignStoryPatch>
