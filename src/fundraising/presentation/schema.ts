import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { exemptionKinds } from '../organisation/schema.ts'
import { buildUrlSchema } from '../url.ts'

export const CampaignContact = NamedObject(
  'CampaignContact',
  {
    name: Type.String(),
    text: Type.Object(buildLanguageProperties(Type.String()), { description: 'Short text by language; may be empty.' }),
    imageUrl: Nullable(Type.String()),
    imageAlt: Type.String({ description: 'Alternative text of the image; empty for a decorative one.' }),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String())
  },
  { description: 'Who is responsible for a campaign, shown beside it.' }
)
export type CampaignContact = Static<typeof CampaignContact>

const Text = Type.Optional(Type.String({ text: true, maxLength: 1000 }))
const NewContact = Nullable(
  Type.Object({
    name: Type.String({ line: true, minLength: 1, maxLength: 140 }),
    text: Type.Optional(Type.Object(buildLanguageProperties(Text), { description: 'Short text by language.' })),
    imageUrl: Type.Optional(Nullable(buildUrlSchema('URL of a picture, or a path on this site.'))),
    imageAlt: Type.Optional(Nullable(Type.String({ line: true, maxLength: 300 }))),
    email: Type.Optional(Nullable(Type.String({ line: true, format: 'email', maxLength: 254 }))),
    phone: Type.Optional(Nullable(Type.String({ line: true, maxLength: 100, examples: ['030 123456'] })))
  }),
  { description: 'Replaces the contact as a whole; null removes it.' }
)
export type NewContact = Static<typeof NewContact>

export const TaxStatus = NamedObject(
  'TaxStatus',
  {
    legalName: Type.String(),
    taxOffice: Type.String({ description: 'Name of the tax office, without the word Finanzamt.' }),
    kind: Type.Enum([...exemptionKinds], {
      description: 'notice: Freistellungsbescheid or equivalent; provisional: notice under § 60a AO.'
    }),
    date: Type.String({ format: 'date', description: 'Date of the notice.' }),
    purposes: Type.String({ description: 'Charitable purposes, in German, after “zur Förderung”.' })
  },
  { description: 'Tax exemption of the organisation, as on its receipts.' }
)
export type TaxStatus = Static<typeof TaxStatus>

const Version = Type.Integer({ description: 'Version; increases with each change.' })

export const Presentation = NamedObject('Presentation', {
  contact: Nullable(CampaignContact, { description: 'Contact of campaigns that have no contact of their own.' }),
  taxStatus: Nullable(TaxStatus, { description: 'Null if details are missing or the notice has expired.' }),
  homeCampaignId: Nullable(Type.Integer(), {
    description: 'Campaign on the home page while it is open; null: the open campaign that ends next.'
  }),
  version: Version
})
export type Presentation = Static<typeof Presentation>

export const PresentationChange = NamedObject('PresentationChange', {
  contact: Type.Optional(NewContact),
  homeCampaignId: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }), {
      description: 'Campaign on the home page while it is open; null: the open campaign that ends next.'
    })
  )
})
export type PresentationChange = Static<typeof PresentationChange>

export const eventsMax = 50

export const CampaignPresentation = NamedObject('CampaignPresentation', {
  contact: Nullable(CampaignContact, {
    description: 'Contact of the campaign, or of the organisation; null without either.'
  }),
  hasOwnContact: Type.Boolean({ description: 'Whether the contact is the campaign’s own.' }),
  taxStatus: Nullable(TaxStatus, { description: 'Null if details are missing or the notice has expired.' }),
  eventIds: Type.Array(Type.Integer(), { description: 'Events of the calendar that belong to the campaign.' }),
  sendsNews: Type.Boolean({ description: 'Whether news can be sent by email: SMTP_URL and PUBLIC_URL are set.' }),
  version: Version
})
export type CampaignPresentation = Static<typeof CampaignPresentation>

export const CampaignPresentationChange = NamedObject('CampaignPresentationChange', {
  contact: Type.Optional(NewContact),
  eventIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: eventsMax,
      description: `Events of the calendar that belong to the campaign, such as benefit concerts; at most ${eventsMax}.`,
      examples: [[12]]
    })
  )
})
export type CampaignPresentationChange = Static<typeof CampaignPresentationChange>
