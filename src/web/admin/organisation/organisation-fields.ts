import { OrganisationChange } from '#fundraising/organisation/schema.ts'
import type { Messages } from '#platform/messages/messages.ts'
import { type FieldGroups, type FieldInput, type TextKey, withLimits } from '../shared/forms/field-definition.ts'

/** The fields of the organisation, by the parts of the page. */
export const organisationFields = withLimits(OrganisationChange, {
  who: [
    { name: 'legalName', label: 'legalName', hint: 'legalNameHint' },
    { name: 'street', path: 'address/street', label: 'street' },
    [
      { name: 'postalCode', path: 'address/postalCode', label: 'postalCode' },
      { name: 'city', path: 'address/city', label: 'city' },
      {
        name: 'country',
        path: 'address/country',
        label: 'country',
        hint: 'countryHint',
        maxLength: 2,
        emptyValue: undefined
      }
    ]
  ],
  tax: [
    [
      { name: 'taxOffice', label: 'taxOffice', hint: 'taxOfficeHint' },
      { name: 'taxNumber', label: 'taxNumber' }
    ]
  ],
  exemptionKind: [{ name: 'exemptionKind', kind: 'choice', path: 'exemption/kind', label: 'exemption' }],
  exemption: [
    [
      { name: 'exemptionDate', kind: 'date', path: 'exemption/date', label: 'exemptionDate' },
      {
        name: 'exemptionPeriod',
        path: 'exemption/period',
        label: 'exemptionPeriod',
        hint: 'exemptionPeriodHint',
        emptyValue: null
      }
    ]
  ],
  purposes: [{ name: 'purposes', label: 'purposes', hint: 'purposesHint', lang: 'de' }],
  membershipFees: [
    {
      name: 'membershipFeesDeductible',
      kind: 'checkbox',
      label: 'membershipFeesDeductible',
      hint: 'membershipFeesHint'
    }
  ],
  receipts: [
    [
      { name: 'signatory', label: 'signatory' },
      { name: 'signatoryRole', label: 'signatoryRole' }
    ],
    { name: 'receiptPrefix', label: 'receiptPrefix', hint: 'receiptPrefixHint', maxLength: 10 },
    { name: 'taxOfficeInformedOn', kind: 'date', label: 'informedOn', hint: 'informedHint', emptyValue: null }
  ],
  signature: [
    {
      name: 'signature',
      kind: 'file',
      label: 'signature',
      hint: 'signatureHint',
      accept: 'image/png,image/jpeg',
      emptyValue: undefined
    }
  ],
  debit: [
    { name: 'creditorId', label: 'creditorId', hint: 'creditorIdHint', spellcheck: false, emptyValue: null },
    { name: 'preNotificationDays', kind: 'number', label: 'preNotificationDays', emptyValue: undefined }
  ],
  care: [
    { name: 'confirmationMails', kind: 'checkbox', label: 'confirmationMails', hint: 'confirmationMailsHint' },
    {
      name: 'reviewAbove',
      kind: 'amount',
      label: 'reviewAbove',
      hint: 'reviewAboveHint',
      maxLength: 20,
      emptyValue: null
    },
    { name: 'messagesNeedReview', kind: 'checkbox', label: 'messagesNeedReview', hint: 'messagesNeedReviewHint' },
    { name: 'proofOfWork', kind: 'checkbox', label: 'proofOfWork', hint: 'proofOfWorkHint' },
    {
      name: 'retentionYears',
      kind: 'number',
      label: 'retentionYears',
      hint: 'retentionYearsHint',
      emptyValue: undefined
    }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'organisation'>>>)

const { who: _who, debit: _debit, care: _care, ...ofTreasurers } = organisationFields
/** The fields that treasurers may change. */
export const treasurerFields = ofTreasurers

/** What the form contains, as typed. */
export type OrganisationInput = FieldInput<typeof organisationFields>
