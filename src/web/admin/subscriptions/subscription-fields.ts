import type { Messages } from '#platform/messages/messages.ts'
import type { FieldGroups, FieldInput, TextKey } from '../shared/forms/field-definition.ts'

export const subscriptionFields = {
  calendar: [
    {
      name: 'url',
      label: 'address',
      hint: 'addressHint',
      inputMode: 'url',
      placeholder: 'https://',
      autocomplete: 'off',
      maxLength: 2000,
      required: true
    },
    { name: 'name', path: 'own_name', label: 'name', hint: 'nameHint', autocomplete: 'off', maxLength: 200 }
  ],
  settings: [
    { name: 'every', kind: 'select', label: 'every', hint: 'everyHint', emptyValue: null },
    { name: 'category', kind: 'select', label: 'category', emptyValue: null },
    { name: 'status', kind: 'select', label: 'status', initial: 'publish' },
    { name: 'gone', kind: 'select', label: 'gone', hint: 'goneHint', initial: 'keep' }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'subscription'>>>

export type SubscriptionInput = FieldInput<typeof subscriptionFields>
