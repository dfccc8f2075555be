import type { Language } from '#platform/language.ts'
import type { Refused } from '../../api.ts'
import { plainDay } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { donateWords } from '../../text/donate.ts'
import { donorWords } from '../../text/donor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import { addressWrong, isEmail } from './donation-input.ts'
import { isAlive, type Own } from './own-donation.ts'

/** What somebody has typed below the own donation. What we know already is never shown: the link may be in other hands. */
export interface Details {
  street: string
  postalCode: string
  city: string
  email: string
}

export interface DetailsForm {
  typed: Details
  errors: Record<string, string>
  general?: string | undefined
  wasSaved?: boolean
}

const nothing: Details = { street: '', postalCode: '', city: '', email: '' }
export const emptyDetails: DetailsForm = { typed: nothing, errors: {} }

export function typedDetails(visit: Pick<Visit, 'form'>): Details {
  const text = (name: string) => field(visit, name)
  return { street: text('street'), postalCode: text('postalCode'), city: text('city'), email: text('email') }
}

/** Either what the API is sent, or what is wrong by the name of the field. */
export function readDetails(
  typed: Details,
  language: Language
): { change: object } | { errors: Record<string, string> } {
  const words = donateWords[language].wrong
  const { email, ...address } = typed
  const found = {
    ...addressWrong(typed, words),
    email: email === '' || isEmail(email) ? undefined : words.email
  }
  const errors = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (errors.length > 0) return { errors: Object.fromEntries(errors) }
  return { change: { receiptRequested: true, address, ...(email === '' ? {} : { email }) } }
}

export function refusedDetails(error: Refused, typed: Details, language: Language): DetailsForm {
  const words = donateWords[language].wrong
  const { receipts } = donorWords[language]
  if (error.code === 'receipt-issued') return { typed, errors: {}, general: receipts.issuedAlready }
  if (error.status === 409) return { typed, errors: {}, general: receipts.over }
  const names = Object.keys(error.fields).map(path => path.replace('address/', ''))
  const errors = Object.fromEntries(
    names.filter(name => name in typed).map(name => [name, name === 'email' ? words.email : words.characters])
  )
  if (Object.keys(errors).length > 0) return { typed, errors }
  return { typed, errors: {}, general: error.status === 429 ? words.tooMany : words.refused }
}

/** Receipts to take away, when they come, and what is still needed for one. */
export function Receipts({ own, form }: { own: Own; form: DetailsForm }) {
  const { language, token, donation } = own
  const words = donorWords[language].receipts
  const { receipts, canHaveSimplifiedProof } = donation
  const hasFailed = form.general !== undefined || Object.keys(form.errors).length > 0
  if (receipts.length === 0 && !canHaveSimplifiedProof && !isAlive(donation) && !hasFailed) return null
  const path = `/donations/by-token/${encodeURIComponent(token)}`
  const isAsked = donation.receiptRequested === true
  const canAdd = receipts.length === 0 && isAlive(donation)
  return (
    <section class="thanks-receipts no-print" id="receipt" tabIndex={-1} aria-labelledby="thanks-receipts">
      <h2 id="thanks-receipts">{words.title}</h2>
      {form.wasSaved === true ? (
        <div class="notice good" role="status">
          <p>{words.saved}</p>
        </div>
      ) : null}
      {receipts.length === 0 && !canHaveSimplifiedProof ? null : (
        <ul class="plain-list papers">
          {receipts.map(({ id, number, kind, issuedOn }) => (
            <Paper
              key={id}
              name={kind === 'collective' ? words.collective(number) : words.single(number)}
              hint={words.issued(plainDay(language, issuedOn))}
              address={`${path}/receipts/${id}.pdf`}
              label={words.downloadOf(number)}
              download={words.download}
            />
          ))}
          {canHaveSimplifiedProof ? (
            <Paper
              name={words.simplified}
              hint={words.simplifiedHint}
              address={`${path}/simplified-proof.pdf`}
              label={words.downloadSimplified}
              download={words.download}
            />
          ) : null}
        </ul>
      )}
      {receipts.length === 0 && isAsked && isAlive(donation) ? (
        <p>{donation.status === 'TRANSFERRED' ? words.underway : words.promised}</p>
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
    <li class="paper">
      <div>
        <strong>{name}</strong>
        <p class="small faded">{hint}</p>
      </div>
      <a class="button quiet small" href={address} aria-label={label} download>
        {download}
      </a>
    </li>
  )
}

/** Asks for the address where it is missing; where it is not, the form waits in a box. */
function Wanted({ own, form, hasFailed }: { own: Own; form: DetailsForm; hasFailed: boolean }) {
  const { donation, language } = own
  const words = donorWords[language].receipts
  if (donation.receiptRequested === true && !donation.hasAddress) {
    return (
      <>
        <p>{words.addressMissing}</p>
        <DetailsFields own={own} form={form} />
      </>
    )
  }
  return (
    <details open={hasFailed}>
      <summary>{donation.receiptRequested === true ? words.changeAddress : words.wanted}</summary>
      {donation.hasAddress ? <p class="small faded">{words.hidden}</p> : null}
      <DetailsFields own={own} form={form} />
    </details>
  )
}

function DetailsFields({
  own: { donation, language, token },
  form: { typed, errors, general }
}: {
  own: Own
  form: DetailsForm
}) {
  const words = donateWords[language].form
  const { receipts } = donorWords[language]
  return (
    <form class="thanks-details" method="post" action={`${pathTo('thanks', language, token)}#receipt`} noValidate>
      <ErrorSummary title={words.errors} errors={errors} general={general} />
      <Field
        name="street"
        label={words.street}
        error={errors.street}
        value={typed.street}
        autocomplete="street-address"
        required
        maxLength={140}
      />
      <div class="donate-town">
        <Field
          name="postalCode"
          label={words.postalCode}
          error={errors.postalCode}
          value={typed.postalCode}
          autocomplete="postal-code"
          required
          maxLength={20}
        />
        <Field
          name="city"
          label={words.city}
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
