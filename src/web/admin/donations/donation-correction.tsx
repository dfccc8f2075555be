import type { Donation } from '#fundraising/donations/schema.ts'
import { consoleWords } from '../../text/console.ts'
import { moneyWords } from '../../text/money.ts'
import { Check, ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'

/** What can be corrected about a donation, as it is typed; boxes are `yes` or nothing. */
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

export function correctionOf({ donorName, email, message, receiptRequested, showName, address }: Donation): Correction {
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

export function correctionIn(desk: Desk): Correction {
  const text = (name: keyof Correction) => field(desk, name)
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

/** What the API is sent, or what is wrong by the name of the field. */
export function readCorrection(
  desk: Desk,
  correction: Correction
): { body: object } | { errors: Record<string, string> } {
  const words = moneyWords[desk.language].page
  const { street, postalCode, city, country } = correction
  const parts = { street, postalCode, city }
  const hasAddress = Object.values(parts).some(part => part !== '')
  const missing = Object.entries(parts).find(([, part]) => part === '')
  const errors = {
    ...(correction.name === '' ? { name: words.nameMissing } : {}),
    ...(hasAddress && missing !== undefined ? { [missing[0]]: words.addressHalf } : {})
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
  desk,
  action,
  etag,
  correction,
  errors,
  general
}: {
  desk: Desk
  action: string
  etag: string
  correction: Correction
  errors: Record<string, string>
  general: string | undefined
}) {
  const words = moneyWords[desk.language].page
  const frame = consoleWords[desk.language]
  const { text: _ofNote, ...ownErrors } = errors
  const typed = (name: keyof Correction) => ({
    name,
    value: correction[name],
    error: errors[name],
    autocomplete: 'off'
  })
  return (
    <section class="card" aria-labelledby="correct">
      <h2 id="correct">{words.correct}</h2>
      <ErrorSummary title={frame.mend} errors={ownErrors} general={general} />
      <p class="hint part-hint">{words.correctHint}</p>
      <Form desk={desk} action={action} id="editor-form">
        <input type="hidden" name="etag" value={etag} />
        <div class="field-row">
          <Field {...typed('name')} label={words.name} maxLength={140} required />
          <Field {...typed('email')} label={words.email} inputMode="email" maxLength={254} />
        </div>
        <Field name="message" label={words.message} error={errors.message}>
          {tied => (
            <textarea {...tied} class="short" rows={2} maxLength={1000}>
              {correction.message}
            </textarea>
          )}
        </Field>
        <Check name="showName" label={words.showName} checked={correction.showName !== ''} />
        <Check name="receipt" label={words.receipt} checked={correction.receipt !== ''} />
        <fieldset class="address">
          <legend>{words.address}</legend>
          <Field {...typed('street')} label={words.street} maxLength={140} />
          <div class="field-row address-row">
            <Field {...typed('postalCode')} label={words.postalCode} maxLength={60} />
            <Field {...typed('city')} label={words.city} maxLength={140} />
            <Field {...typed('country')} label={words.country} maxLength={2} autocapitalize="characters" />
          </div>
        </fieldset>
        <button type="submit">{frame.save}</button>
      </Form>
    </section>
  )
}
