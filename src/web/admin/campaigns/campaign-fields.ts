import { CampaignReplacement } from '#fundraising/campaigns/schema.ts'
import type { Messages } from '#platform/messages/messages.ts'
import { type FieldGroups, type FieldInput, type TextKey, withLimits } from '../shared/forms/field-definition.ts'

/** The fields of the campaign editor, by its cards. */
export const campaignFields = withLimits(CampaignReplacement, {
  text: [
    { name: 'name', label: 'name', isTranslated: true },
    { name: 'story', kind: 'lines', path: 'description', label: 'story', isTranslated: true }
  ],
  money: [
    [
      { name: 'target', kind: 'amount', path: 'targetAmount', label: 'target', required: true },
      {
        name: 'minimum',
        kind: 'amount',
        path: 'donationMinimum',
        label: 'minimum',
        hint: 'minimumHint',
        initial: '0',
        emptyValue: '0.00'
      }
    ],
    {
      name: 'presets',
      path: 'presetAmounts',
      label: 'presets',
      hint: 'presetsHint',
      autocomplete: 'off',
      maxLength: 200
    }
  ],
  account: [
    {
      name: 'holder',
      path: 'account/name',
      label: 'holder',
      hint: 'holderHint',
      autocomplete: 'off',
      required: true
    },
    [
      {
        name: 'iban',
        path: 'account/iban',
        label: 'iban',
        autocomplete: 'off',
        autocapitalize: 'characters',
        spellcheck: false,
        'data-bank': 'field-bank',
        required: true
      },
      { name: 'bank', path: 'account/nameOfBank', label: 'bank', hint: 'bankHint', autocomplete: 'off' }
    ]
  ],
  time: [
    [
      { name: 'startDate', kind: 'date', path: 'startsAt', label: 'startDate' },
      { name: 'startTime', kind: 'time', path: null, label: 'startTime' }
    ],
    [
      { name: 'endDate', kind: 'date', path: 'endsAt', label: 'endDate' },
      { name: 'endTime', kind: 'time', path: null, label: 'endTime' }
    ]
  ],
  status: [{ name: 'status', kind: 'choice', label: 'status', initial: 'draft' }],
  upload: [{ name: 'image', kind: 'image', path: null, label: 'image' }],
  image: [
    {
      name: 'imageUrl',
      label: 'imageUrlOnly',
      hint: 'imageUrlHint',
      inputMode: 'url',
      autocomplete: 'off',
      spellcheck: false
    },
    { name: 'imageAlt', label: 'imageAlt', hint: 'imageAltHint' }
  ],
  decorative: [{ name: 'imageDecorative', kind: 'checkbox', path: null, label: 'imageDecorative' }]
} as const satisfies FieldGroups<TextKey<Messages<'campaign'>['form']>>)

/** What the campaign editor contains, as typed. */
export type CampaignInput = FieldInput<typeof campaignFields>
