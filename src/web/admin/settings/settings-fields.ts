import type { Language } from '#platform/language.ts'
import { SiteChanges } from '#platform/site/schema.ts'
import { type FieldGroups, type FieldList, type TextKey, withLimits } from '../shared/forms/field-definition.ts'
import type { SettingsStrings } from './strings.ts'

/** Fields of the general settings. Those that the first run shows as well are in site-fields.tsx. */
export const generalFields = withLimits(SiteChanges, {
  organisation: [
    { name: 'name', label: 'name', autocomplete: 'organization', required: true },
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
  ],
  logo: [
    {
      name: 'logoUrl',
      label: 'logoUrl',
      hint: 'logoHint',
      inputMode: 'url',
      autocomplete: 'off',
      emptyValue: null
    }
  ]
} as const satisfies FieldGroups<TextKey<SettingsStrings>>)

/** Texts that have a page of their own on the site. */
export const textPages = ['about', 'imprint', 'privacy'] as const

/** Fields of the texts in one language. */
export function newTextFields(lang: Language): Record<'tagline' | 'pages', FieldList<TextKey<SettingsStrings>>> {
  return withLimits(SiteChanges, {
    tagline: [{ name: `tagline/${lang}`, label: 'tagline', hint: 'taglineHint', lang }],
    pages: textPages.map(name => ({
      name: `${name}/${lang}`,
      kind: 'lines',
      label: name,
      lang,
      rows: name === 'about' ? 8 : 10
    }))
  })
}
