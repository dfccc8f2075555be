import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import type { Language } from '#platform/language.ts'
import { markupRule } from '#platform/rich-text/markup-cost.ts'
import { buildUrlSchema } from '../../url.ts'

export const updateStatuses = ['draft', 'published'] as const
export type UpdateStatus = (typeof updateStatuses)[number]

const Instant = Type.String({ format: 'date-time' })

const UpdateText = Type.Object({ title: Type.String(), text: Type.String({ description: 'HTML.' }) })
export type UpdateText = Static<typeof UpdateText>
/** At least one language. */
export type UpdateTexts = Partial<Record<Language, UpdateText>>

export const CampaignUpdate = NamedObject('CampaignUpdate', {
  id: Type.Integer(),
  campaignId: Type.Integer(),
  status: Type.Enum([...updateStatuses]),
  date: Type.String({ format: 'date', description: 'Day of the update.' }),
  texts: Type.Object(buildLanguageProperties(Type.Optional(UpdateText)), {
    description: 'Title and text by language; at least one.'
  }),
  imageUrl: Nullable(Type.String()),
  imageAlt: Type.String({ description: 'Alternative text of the image; empty for a decorative one.' }),
  publishedAt: Nullable(Instant, { description: 'When it was first published; null for a draft.' }),
  sentAt: Type.Optional(
    Nullable(Instant, { description: 'When it was sent to donors; null if it was not. Editors and treasurers only.' })
  ),
  createdAt: Instant,
  updatedAt: Instant
})
export type CampaignUpdate = Static<typeof CampaignUpdate>

const Title = Type.String({ line: true, minLength: 1, maxLength: 200 })
const Text = Type.String({
  text: true,
  maxLength: 50_000,
  description: `HTML; sanitised. ${markupRule}`,
  examples: ['<p>The roof is on.</p>']
})
const Day = Type.String({
  line: true,
  day: true,
  maxLength: 10,
  description: 'Day of the update, not in the future; default: today.',
  examples: ['2026-11-01']
})
const NewText = Type.Object({ title: Title, text: Type.Optional(Text) })
const TextPatch = Type.Optional(
  Nullable(Type.Object({ title: Type.Optional(Title), text: Type.Optional(Text) }), {
    description: 'Text in this language; null removes it.'
  })
)

const Status = Type.Enum([...updateStatuses], { description: 'A draft is hidden from the public.' })
const ImageUrl = Nullable(buildUrlSchema('URL, or a path on this site.'))
const ImageAlt = Nullable(Type.String({ line: true, maxLength: 300 }))

export const NewCampaignUpdate = NamedObject('NewCampaignUpdate', {
  status: Type.Optional(
    Type.Enum([...updateStatuses], { default: 'draft', description: 'A draft is hidden from the public.' })
  ),
  date: Type.Optional(Day),
  texts: Type.Object(buildLanguageProperties(Type.Optional(NewText)), {
    description: 'Title and text by language; at least one.'
  }),
  imageUrl: Type.Optional(ImageUrl),
  imageAlt: Type.Optional(ImageAlt)
})
export type NewCampaignUpdate = Static<typeof NewCampaignUpdate>

/** The body of a PATCH: a JSON merge patch (RFC 7396). */
export const CampaignUpdatePatch = NamedObject('CampaignUpdatePatch', {
  status: Type.Optional(Status),
  date: Type.Optional(Day),
  texts: Type.Optional(Type.Object(buildLanguageProperties(TextPatch))),
  imageUrl: Type.Optional(ImageUrl),
  imageAlt: Type.Optional(ImageAlt)
})
export type CampaignUpdatePatch = Static<typeof CampaignUpdatePatch>

/** Why an update cannot be sent now. */
export const mailingObstacles = ['sent', 'draft', 'email-not-configured', 'no-recipients'] as const
export type MailingObstacle = (typeof mailingObstacles)[number]

export const UpdateMailing = NamedObject('UpdateMailing', {
  recipients: Type.Integer({
    description:
      'Number of donors who get it: they asked for news, their money was received, and they did not unsubscribe.'
  }),
  sentAt: Nullable(Instant, { description: 'When it was sent; null if it was not.' }),
  obstacle: Type.Unsafe<MailingObstacle | null>({
    ...{ type: ['string', 'null'], enum: [...mailingObstacles, null] },
    description: 'Why it cannot be sent now; null if it can.'
  })
})
export type UpdateMailing = Static<typeof UpdateMailing>
