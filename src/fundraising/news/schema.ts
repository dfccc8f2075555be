import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { languages } from '#platform/language.ts'

const Instant = Type.String({ format: 'date-time' })

/** What a donor agreed to, for treasurers and for the export to the donor. */
export const NewsConsent = NamedObject('NewsConsent', {
  text: Type.String({ description: 'What the donor agreed to, in the words of the form.' }),
  agreedAt: Instant,
  endedAt: Nullable(Instant, { description: 'When the donor unsubscribed; null while emails are sent.' }),
  endedBy: Type.Unsafe<NewsEnding | null>({
    ...{ type: ['string', 'null'], enum: ['donor', 'treasurer', null] },
    description: 'Who ended it: the donor with the link, or a treasurer.'
  })
})
export type NewsConsent = Static<typeof NewsConsent>

export type NewsEnding = 'donor' | 'treasurer'

export const NewNewsConsent = Nullable(
  Type.Object({
    text: Type.String({
      ...{ text: true, minLength: 1, maxLength: 2000 },
      description: 'What the donor agreed to, in the words of the form.',
      examples: ['Send me news about this campaign by email.']
    })
  }),
  { description: 'Consent to news about the campaign by email. Requires email.' }
)

/** What the link of an email shows: the campaign, and nothing about the donor. */
export const NewsSubscription = NamedObject('NewsSubscription', {
  campaignId: Type.Integer(),
  campaignName: Type.String(),
  language: Type.Enum([...languages], { description: 'Language of campaignName.' }),
  isActive: Type.Boolean({ description: 'Whether news about the campaign are sent.' })
})
export type NewsSubscription = Static<typeof NewsSubscription>
