import { NewCampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import type { Messages } from '#platform/messages/messages.ts'
import { type FieldGroups, type FieldInput, type TextKey, withLimits } from '../../shared/forms/field-definition.ts'

/** The fields of an update, by their cards. Picture and status are shown by the page. */
export const updateFields = withLimits(NewCampaignUpdate, {
  english: [
    { name: 'titleEn', path: 'texts/en/title', label: 'titleEn', lang: 'en', emptyValue: undefined },
    { name: 'textEn', kind: 'html', path: 'texts/en/text', label: 'textEn', rows: 8, lang: 'en' }
  ],
  german: [
    { name: 'titleDe', path: 'texts/de/title', label: 'titleDe', lang: 'de', emptyValue: undefined },
    { name: 'textDe', kind: 'html', path: 'texts/de/text', label: 'textDe', rows: 8, lang: 'de' }
  ],
  when: [{ name: 'date', kind: 'date', label: 'date', required: true }],
  status: [{ name: 'status', kind: 'choice', label: 'status', initial: 'draft' }],
  picture: [
    { name: 'image', kind: 'image', path: null, label: 'picture' },
    { name: 'imageUrl', label: 'picture' },
    { name: 'imageAlt', label: 'picture' }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'update'>['form']>>)

export type UpdateInput = FieldInput<typeof updateFields>
