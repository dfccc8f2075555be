import { Checkbox, Field } from '../../components/field.tsx'
import { donationStrings } from '../../strings/donations.ts'
import type { AdminContext } from '../shared/context.ts'

/** Input for a donation whose money was already received. */
export interface DonationRecord {
  campaign: string
  amount: string
  name: string
  how: 'cash' | 'transfer'
  date: string
  note: string
  email: string
  receipt: string
  street: string
  postalCode: string
  city: string
  country: string
  /** A second click on the button finds the donation of the first. */
  idempotencyKey: string
}

/** Fields that a receipt needs besides the name; collapsed, as cash from a donation box has none of them. */
export function ReceiptFields({
  context,
  recorded,
  errors
}: {
  context: AdminContext
  recorded: DonationRecord
  errors: Record<string, string>
}) {
  const { record: strings, page } = donationStrings[context.language]
  const names = ['email', 'street', 'postalCode', 'city', 'country'] as const
  const isOpen = recorded.receipt !== '' || names.some(name => recorded[name] !== '' || errors[name] !== undefined)
  const typed = (name: (typeof names)[number]) => ({
    name,
    value: recorded[name],
    error: errors[name],
    autocomplete: 'off'
  })
  return (
    <details class="record-receipt" open={isOpen}>
      <summary>{strings.receipt}</summary>
      <Checkbox name="receipt" label={page.receipt} checked={recorded.receipt !== ''} />
      <Field {...typed('email')} label={page.email} inputMode="email" maxLength={254} />
      <Field {...typed('street')} label={page.street} maxLength={140} />
      <div class="field-row address-row">
        <Field {...typed('postalCode')} label={page.postalCode} maxLength={60} />
        <Field {...typed('city')} label={page.city} maxLength={140} />
        <Field {...typed('country')} label={page.country} maxLength={2} autocapitalize="characters" />
      </div>
    </details>
  )
}
