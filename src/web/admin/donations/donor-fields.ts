import { DonationChange, NewDonation } from '#fundraising/donations/schema.ts'
import type { Messages } from '#platform/messages/messages.ts'
import {
  type FieldGroups,
  type FieldInput,
  type FieldList,
  type TextKey,
  withLimits
} from '../shared/forms/field-definition.ts'

type AddressText = 'street' | 'postalCode' | 'city' | 'country'

const address = [
  { name: 'street', path: 'address/street', label: 'street' },
  [
    { name: 'postalCode', path: 'address/postalCode', label: 'postalCode' },
    { name: 'city', path: 'address/city', label: 'city' },
    {
      name: 'country',
      kind: 'code',
      path: 'address/country',
      label: 'country',
      maxLength: 2,
      autocapitalize: 'characters',
      emptyValue: undefined
    }
  ]
] as const satisfies FieldList<AddressText>

/** Fields of a donation that can be corrected. */
export const correctionFields = withLimits(DonationChange, {
  donor: [
    [
      { name: 'name', path: 'donorName', label: 'name', required: true },
      { name: 'email', label: 'email', inputMode: 'email', emptyValue: null }
    ]
  ],
  message: [{ name: 'message', kind: 'lines', label: 'message', class: 'short', rows: 2, emptyValue: null }],
  receipt: [{ name: 'receipt', kind: 'checkbox', path: 'receiptRequested', label: 'receipt' }],
  showName: [{ name: 'showName', kind: 'checkbox', label: 'showName' }],
  address
} as const satisfies FieldGroups<TextKey<Messages<'donation'>['page']>>)

export type Correction = FieldInput<typeof correctionFields>

/** Fields of a donation whose money was already received. The receipt needs some of the page of a donation. */
export type RecordStrings = Pick<Messages<'donation'>['page'], AddressText | 'email' | 'receipt'> &
  Omit<Messages<'donation'>['record'], 'receipt'>

export const recordFields = withLimits(NewDonation, {
  campaign: [{ name: 'campaign', kind: 'select', path: null, label: 'campaign' }],
  money: [
    [
      { name: 'amount', kind: 'amount', label: 'amount', required: true },
      { name: 'date', kind: 'date', path: 'receivedOn', label: 'date', hint: 'dateHint', required: true }
    ]
  ],
  donor: [{ name: 'name', path: 'donorName', label: 'name', hint: 'nameHint', autocomplete: 'off', required: true }],
  how: [{ name: 'how', kind: 'choice', path: null, label: 'how', initial: 'cash' }],
  receipt: [
    { name: 'receipt', kind: 'checkbox', path: 'receiptRequested', label: 'receipt' },
    { name: 'email', label: 'email', inputMode: 'email', emptyValue: undefined },
    ...address
  ],
  note: [{ name: 'note', kind: 'lines', path: null, label: 'note', maxLength: 2000 }]
} as const satisfies FieldGroups<TextKey<RecordStrings>>)

export interface DonationRecord extends FieldInput<typeof recordFields> {
  /** A second click on the button finds the donation of the first. */
  idempotencyKey: string
}

/** Whether the address has a part, and the name of a part that is missing. */
export function findMissingPart({ street, postalCode, city }: Pick<Correction, 'street' | 'postalCode' | 'city'>) {
  const missing = Object.entries({ street, postalCode, city }).find(([, part]) => part === '')
  return { hasAddress: street + postalCode + city !== '', missing: missing?.[0] }
}
