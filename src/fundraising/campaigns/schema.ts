import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { pageSizeMax } from '#platform/http/paging.ts'
import { type Language, languages } from '#platform/language.ts'
import { Account, NewAccount } from '../money/account.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../money/money.ts'
import { buildUrlSchema } from '../url.ts'

export const campaignStatuses = ['draft', 'open', 'closed'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

const Instant = Type.String({ format: 'date-time' })

const Translation = Type.Object({ name: Type.String(), description: Type.String() })
export const CampaignTranslations = NamedObject(
  'CampaignTranslations',
  buildLanguageProperties(Type.Optional(Translation)),
  { description: 'Texts in other languages.' }
)
export type Translations = Partial<Record<Language, Static<typeof Translation>>>

export const Campaign = NamedObject('Campaign', {
  id: Type.Integer(),
  name: Type.String(),
  donationMinimum: buildAmountSchema('Minimum donation.'),
  targetAmount: buildAmountSchema('Target of the campaign.'),
  amountDonatedSoFar: buildAmountSchema('Sum of donations that are IN_PROCESS or TRANSFERRED.'),
  account: Account,
  amountTransferred: buildAmountSchema('Sum of donations that are TRANSFERRED.'),
  donationCount: Type.Integer(),
  progressPercent: Type.Number({ description: 'amountDonatedSoFar as a percentage of targetAmount; can exceed 100.' }),
  currency: Type.String(),
  status: Type.Enum([...campaignStatuses]),
  description: Type.String(),
  startsAt: Nullable(Instant),
  endsAt: Nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  presetAmounts: Type.Array(buildAmountSchema('Suggested amount.')),
  imageUrl: Nullable(Type.String()),
  imageAlt: Type.String({ description: 'Alternative text of the image.' }),
  language: Type.Enum([...languages], { description: 'Language of name and description.' }),
  translations: CampaignTranslations,
  reference: Type.String({
    description: 'Reference for transfers to the campaign without a donation record.'
  }),
  amountOffline: buildAmountSchema(
    'Sum of the offline amounts, which no other total includes. Pages show it as part of the progress.'
  ),
  deletedAt: Type.Optional(Instant)
})
export type Campaign = Static<typeof Campaign>

const OptionalInstant = (description: string) => Type.Optional(Nullable(Type.String({ instant: true, description })))

const Name = Type.String({ line: true, minLength: 1, maxLength: 200 })
const Description = Type.Optional(Nullable(Type.String({ text: true, maxLength: 20_000 })))

const NewTranslation = Type.Object({ name: Name, description: Description })

export const presetAmountsMax = 8

/** Fields of the specification; required in new and replaced campaigns. */
const specified = {
  name: Name,
  donationMinimum: buildAmountInputSchema('Minimum donation.', 0),
  targetAmount: buildAmountInputSchema('Target of the campaign.', 1),
  account: NewAccount
}

const translationsDescription = 'Texts in other languages.'

/** Our additional fields. No defaults: an update that omits a field leaves it unchanged. */
const additional = {
  status: Type.Optional(Type.Enum([...campaignStatuses], { description: 'A draft is hidden from the public.' })),
  description: Description,
  startsAt: OptionalInstant('Start of the donation period.'),
  endsAt: OptionalInstant('End of the donation period.'),
  presetAmounts: Type.Optional(
    Nullable(
      Type.Array(buildAmountInputSchema('Suggested amount.', 1), {
        description: `At most ${presetAmountsMax}, ascending, none below donationMinimum.`,
        examples: [[], [20, 50, 100]]
      })
    )
  ),
  imageUrl: Type.Optional(Nullable(buildUrlSchema('URL, or a path on this site.'))),
  imageAlt: Type.Optional(Nullable(Type.String({ line: true, maxLength: 300 }))),
  language: Type.Optional(Type.Enum([...languages], { description: 'Language of name and description.' })),
  translations: Type.Optional(
    Nullable(
      Type.Object(buildLanguageProperties(Type.Optional(NewTranslation)), { description: translationsDescription })
    )
  )
}

/**
 * A new campaign. Here and in the updates below, unknown and read-only fields are ignored because clients send back
 * what they read.
 */
export const NewCampaign = NamedObject('NewCampaign', {
  ...specified,
  ...additional,
  status: Type.Optional(
    Type.Enum([...campaignStatuses], { default: 'open', description: 'A draft is hidden from the public.' })
  ),
  language: Type.Optional(
    Type.Enum([...languages], {
      description: 'Language of name and description; default: the language of the site.'
    })
  )
})
export type NewCampaign = Static<typeof NewCampaign>

/** The body of a PUT: all fields of the specification, and those of our additional fields that change. */
export const CampaignReplacement = NamedObject('CampaignReplacement', { ...specified, ...additional })
export type CampaignReplacement = Static<typeof CampaignReplacement>

const TranslationPatch = Type.Optional(
  Nullable(Type.Object({ name: Type.Optional(Name), description: Description }), {
    description: 'Texts in this language; null removes them.'
  })
)

/** The body of a PATCH: a JSON merge patch (RFC 7396). */
export const CampaignPatch = NamedObject('CampaignPatch', {
  name: Type.Optional(specified.name),
  donationMinimum: Type.Optional(specified.donationMinimum),
  targetAmount: Type.Optional(specified.targetAmount),
  account: Type.Optional(Type.Partial(NewAccount)),
  ...additional,
  translations: Type.Optional(
    Nullable(Type.Object(buildLanguageProperties(TranslationPatch), { description: translationsDescription }))
  )
})
export type CampaignPatch = Static<typeof CampaignPatch>

/** Without limit and cursor, the response has all campaigns. */
export const CampaignPaging = Type.Object({
  deleted: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      description: 'true lists deleted campaigns instead (admins only).'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: 'Number of campaigns per page; all if omitted.' })
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'Cursor, taken from the link to the next page.' }))
})
export type CampaignPaging = Static<typeof CampaignPaging>
