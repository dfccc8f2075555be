import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatDay } from '../../format/format.ts'
import type { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { findAddressErrors, isEmail } from './donation-input.ts'
import { type DonorContext, isActive } from './donor-context.ts'

/** Input for a receipt. Stored data is never shown: others may have the link. */
export interface ReceiptDetails {
  street: string
  postalCode: string
  city: string
  email: string
}

export interface DetailsForm {
  typed: ReceiptDetails
  errors: Record<string, string>
  general?: string | undefined
  wasSaved?: boolean
}

const noDetails: ReceiptDetails = { street: '', postalCode: '', city: '', email: '' }
export const emptyDetails: DetailsForm = { typed: noDetails, errors: {} }

export function parseDetails(context: Pick<PageContext, 'form'>): ReceiptDetails {
  const text = (name: string) => getFormField(context, name)
  return { street: text('street'), postalCode: text('postalCode'), city: text('city'), email: text('email') }
}

/** Either the request body for the API, or errors by field name. */
export function validateDetails(
  typed: ReceiptDetails,
  language: Language
): { change: object } | { errors: Record<string, string> } {
  const strings = getMessages('donate', language).wrong
  const { email, ...address } = typed
  const found = {
    ...findAddressErrors(typed, strings),
    email: email === '' || isEmail(email) ? undefined : strings.email
  }
  const errors = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (errors.length > 0) return { errors: Object.fromEntries(errors) }
  return { change: { receiptRequested: true, address, ...(email === '' ? {} : { email }) } }
}

export function toDetailsForm(error: ApiError, typed: ReceiptDetails, language: Language): DetailsForm {
  const strings = getMessages('donate', language).wrong
  const { receipts } = getMessages('donor-page', language)
  if (error.code === 'receipt-issued') return { typed, errors: {}, general: receipts.issuedAlready }
  if (error.status === 409) return { typed, errors: {}, general: receipts.over }
  const names = Object.keys(error.fields).map(path => path.replace('address/', ''))
  const errors = Object.fromEntries(
    names.filter(name => name in typed).map(name => [name, name === 'email' ? strings.email : strings.characters])
  )
  if (Object.keys(errors).length > 0) return { typed, errors }
  return { typed, errors: {}, general: error.status === 429 ? strings.tooMany : strings.refused }
}

/** Issued receipts, when the next one comes, and which data is missing for it. */
export function Receipts({ own, form }: { own: DonorContext; form: DetailsForm }) {
  const { language, token, donation } = own
  const strings = getMessages('donor-page', language).receipts
  const { receipts, canHaveSimplifiedProof } = donation
  const hasFailed = form.general !== undefined || Object.keys(form.errors).length > 0
  if (receipts.length === 0 && !canHaveSimplifiedProof && !isActive(donation) && !hasFailed) return null
  const path = `/donations/by-token/${encodeURIComponent(token)}`
  const isRequested = donation.receiptRequested === true
  const canAdd = receipts.length === 0 && isActive(donation)
  return (
    <section class="thanks-receipts no-print" id="receipt" tabIndex={-1} aria-labelledby="thanks-receipts">
      <h2 id="thanks-receipts">{strings.title}</h2>
      {form.wasSaved === true ? (
        <div class="notice good" role="status">
          <p>{strings.saved}</p>
        </div>
      ) : null}
      {receipts.length === 0 && !canHaveSimplifiedProof ? null : (
        <ul class="plain-list papers">
          {receipts.map(({ id, number, kind, issuedOn }) => (
            <Paper
              key={id}
              name={kind === 'collective' ? strings.collective({ number }) : strings.single({ number })}
              hint={strings.issued({ day: formatDay(language, issuedOn) })}
              address={`${path}/receipts/${id}.pdf`}
              label={strings.downloadOf({ number })}
              download={strings.download}
            />
          ))}
          {canHaveSimplifiedProof ? (
            <Paper
              name={strings.simplified}
              hint={strings.simplifiedHint}
              address={`${path}/simplified-proof.pdf`}
              label={strings.downloadSimplified}
              download={strings.download}
            />
          ) : null}
        </ul>
      )}
      {receipts.length === 0 && isRequested && isActive(donation) ? (
        <p>{donation.status === 'TRANSFERRED' ? strings.underway : strings.promised}</p>
      ) : null}
      {canAdd ? <Wanted own={own} form={form} hasFailed={hasFailed} /> : null}
      {canAdd || form.general === undefined ? null : (
        <div class="notice warn" role="alert">
          <p>{form.general}</p>
        </div>
      )}
    </section>
  )
}

function Paper({
  name,
  hint,
  address,
  label,
  download
}: {
  name: string
  hint: string
  address: string
  label: string
  download: string
}) {
  return (
    <li class="receipt-download">
      <div>
        <strong>{name}</strong>
        <p class="small muted">{hint}</p>
      </div>
      <a class="button quiet small" href={address} aria-label={label} download>
        {download}
      </a>
    </li>
  )
}

/** Asks for the address if it is missing; otherwise the form is collapsed. */
function Wanted({ own, form, hasFailed }: { own: DonorContext; form: DetailsForm; hasFailed: boolean }) {
  const { donation, language } = own
  const strings = getMessages('donor-page', language).receipts
  if (donation.receiptRequested === true && !donation.hasAddress) {
    return (
      <>
        <p>{strings.addressMissing}</p>
        <DetailsFields own={own} form={form} />
      </>
    )
  }
  return (
    <details open={hasFailed}>
      <summary>{donation.receiptRequested === true ? strings.changeAddress : strings.wanted}</summary>
      {donation.hasAddress ? <p class="small muted">{strings.hidden}</p> : null}
      <DetailsFields own={own} form={form} />
    </details>
  )
}

function DetailsFields({
  own: { donation, language, token },
  form: { typed, errors, general }
}: {
  own: DonorContext
  form: DetailsForm
}) {
  const strings = getMessages('donate', language).form
  const { receipts } = getMessages('donor-page', language)
  return (
    <form class="thanks-details" method="post" action={`${getPath('thanks', language, token)}#receipt`} noValidate>
      <ErrorSummary title={strings.errors} errors={errors} general={general} />
      <Field
        name="street"
        label={strings.street}
        error={errors.street}
        value={typed.street}
        autocomplete="address-line1"
        required
        maxLength={140}
      />
      <div class="donate-town">
        <Field
          name="postalCode"
          label={strings.postalCode}
          error={errors.postalCode}
          value={typed.postalCode}
          autocomplete="postal-code"
          required
          maxLength={20}
        />
        <Field
          name="city"
          label={strings.city}
          error={errors.city}
          value={typed.city}
          autocomplete="address-level2"
          required
          maxLength={140}
        />
      </div>
      {donation.hasEmail ? null : (
        <Field
          name="email"
          type="email"
          label={receipts.email}
          hint={receipts.emailHint}
          error={errors.email}
          value={typed.email}
          autocomplete="email"
          maxLength={254}
        />
      )}
      <button type="submit">{receipts.save}</button>
    </form>
  )
}
