import type { Donation } from '#fundraising/donations/schema.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import { adminStrings } from '../../strings/admin.ts'
import { donationStrings } from '../../strings/donations.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'

/** Fields of a donation that can be corrected, as typed; checkboxes are `yes` or empty. */
export interface Correction {
  name: string
  email: string
  message: string
  receipt: string
  showName: string
  street: string
  postalCode: string
  city: string
  country: string
}

export function toCorrection({ donorName, email, message, receiptRequested, showName, address }: Donation): Correction {
  return {
    name: donorName ?? '',
    email: email ?? '',
    message: message ?? '',
    receipt: receiptRequested === true ? 'yes' : '',
    showName: showName === true ? 'yes' : '',
    street: address?.street ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    country: address?.country ?? ''
  }
}

export function parseCorrection(context: AdminContext): Correction {
  const text = (name: keyof Correction) => getFormField(context, name)
  return {
    name: text('name'),
    email: text('email'),
    message: text('message').replaceAll('\r\n', '\n'),
    receipt: text('receipt') === '' ? '' : 'yes',
    showName: text('showName') === '' ? '' : 'yes',
    street: text('street'),
    postalCode: text('postalCode'),
    city: text('city'),
    country: text('country').toUpperCase()
  }
}

/** Returns the request body for the API, or errors by field name. */
export function validateCorrection(
  context: AdminContext,
  correction: Correction
): { body: object } | { errors: Record<string, string> } {
  const strings = donationStrings[context.language].page
  const { street, postalCode, city, country } = correction
  const parts = { street, postalCode, city }
  const hasAddress = Object.values(parts).some(part => part !== '')
  const missing = Object.entries(parts).find(([, part]) => part === '')
  const errors = {
    ...(correction.name === '' ? { name: strings.nameMissing } : {}),
    ...(hasAddress && missing !== undefined ? { [missing[0]]: strings.addressHalf } : {})
  }
  if (Object.keys(errors).length > 0) return { errors }
  return {
    body: {
      donorName: correction.name,
      email: correction.email === '' ? null : correction.email,
      message: correction.message === '' ? null : correction.message,
      receiptRequested: correction.receipt !== '',
      showName: correction.showName !== '',
      address: hasAddress ? { ...parts, ...(country === '' ? {} : { country }) } : null
    }
  }
}

export function CorrectionForm({
  context,
  action,
  etag,
  correction,
  errors,
  general
}: {
  context: AdminContext
  action: string
  etag: string
  correction: Correction
  errors: Record<string, string>
  general: string | undefined
}) {
  const strings = donationStrings[context.language].page
  const frame = adminStrings[context.language]
  const { text: _ofNote, ...ownErrors } = errors
  const typed = (name: keyof Correction) => ({
    name,
    value: correction[name],
    error: errors[name],
    autocomplete: 'off'
  })
  return (
    <section class="card" aria-labelledby="correct">
      <h2 id="correct">{strings.correct}</h2>
      <ErrorSummary title={frame.mend} errors={ownErrors} general={general} />
      <p class="hint part-hint">{strings.correctHint}</p>
      <Form context={context} action={action} id="editor-form">
        <input type="hidden" name="etag" value={etag} />
        <div class="field-row">
          <Field {...typed('name')} label={strings.name} maxLength={140} required />
          <Field {...typed('email')} label={strings.email} inputMode="email" maxLength={254} />
        </div>
        <Field name="message" label={strings.message} error={errors.message}>
          {tied => (
            <textarea {...tied} class="short" rows={2} maxLength={1000}>
              {correction.message}
            </textarea>
          )}
        </Field>
        <Checkbox name="showName" label={strings.showName} checked={correction.showName !== ''} />
        <Checkbox name="receipt" label={strings.receipt} checked={correction.receipt !== ''} />
        <fieldset class="address">
          <legend>{strings.address}</legend>
          <Field {...typed('street')} label={strings.street} maxLength={140} />
          <div class="field-row address-row">
            <Field {...typed('postalCode')} label={strings.postalCode} maxLength={60} />
            <Field {...typed('city')} label={strings.city} maxLength={140} />
            <Field {...typed('country')} label={strings.country} maxLength={2} autocapitalize="characters" />
          </div>
        </fieldset>
        <button type="submit">{frame.save}</button>
      </Form>
    </section>
  )
}
