import type { Messages } from '#platform/messages/messages.ts'
import { SiteChanges } from '#platform/site/schema.ts'
import { type FieldGroups, type TextKey, withLimits } from '../shared/forms/field-definition.ts'

/** Fields of the general settings. Those that the first run shows as well are in site-fields.tsx. */
export const generalFields = withLimits(SiteChanges, {
  organisation: [
    { name: 'name', label: 'name', autocomplete: 'organization', required: true },
    { name: 'tagline/en', label: 'taglineEn', lang: 'en' },
    { name: 'tagline/de', label: 'taglineDe', hint: 'taglineHint', lang: 'de' },
    {
      name: 'contactEmail',
      kind: 'email',
      label: 'contactEmail',
      hint: 'contactHint',
      autocomplete: 'off',
      emptyValue: null
    }
  ],
  weekStart: [{ name: 'weekStart', kind: 'select', label: 'weekStart', emptyValue: 'monday' }],
  currency: [{ name: 'currency', label: 'currency', hint: 'currencyHint', autocomplete: 'off', emptyValue: undefined }],
  suggestions: [
    { name: 'suggestions', kind: 'checkbox', label: 'suggestionsOn', hint: 'suggestionsOnHint' },
    { name: 'suggestionsProofOfWork', kind: 'checkbox', label: 'suggestionsProof', hint: 'suggestionsProofHint' },
    {
      name: 'suggestionRetentionDays',
      kind: 'number',
      label: 'suggestionDays',
      hint: 'suggestionDaysHint',
      emptyValue: undefined
    }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'settings'>>>)
