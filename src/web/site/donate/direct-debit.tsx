import type { MandateTerms } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox } from '../../components/field.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import { ApiError } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import type { DonationInput } from './donation-input.ts'
import type { DonorContext } from './donor-context.ts'

/** Mandate terms of an organisation that collects direct debits; undefined otherwise. */
export async function findMandateTerms({ api }: PageContext): Promise<MandateTerms | undefined> {
  try {
    return (await api.get<MandateTerms>('/mandate')).body
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Payment method options of the donation form. */
export function PaymentMethods({ language, typed }: { language: Language; typed: DonationInput }) {
  const strings = getMessages('donate', language).form
  return (
    <div class="donate-ways">
      <label class="donate-way">
        <input type="radio" name="payment" value="transfer" checked={!typed.isDebit} />
        <span>{strings.transfer}</span>
      </label>
      <label class="donate-way">
        <input type="radio" id="field-payment-debit" name="payment" value="direct_debit" checked={typed.isDebit} />
        <span>{strings.directDebit}</span>
      </label>
    </div>
  )
}

/** The mandate that the donor agrees to: shown in full, and never ticked in advance. */
export function Mandate({
  language,
  terms,
  typed,
  error
}: {
  language: Language
  terms: MandateTerms
  typed: DonationInput
  error: string | undefined
}) {
  const text = pickByLanguage(terms.texts, language)
  return (
    <div class="donate-mandate if-debit">
      <MandateText text={text} />
      {/* Sent along, so that the stored text is the one the donor has read. */}
      <textarea name="mandateText" autocomplete="off" readOnly hidden>
        {text}
      </textarea>
      <Checkbox
        name="mandate"
        label={getMessages('donate', language).form.mandate}
        error={error}
        checked={typed.mandate && typed.mandateText === text}
      />
    </div>
  )
}

/** The first line is the title. */
function MandateText({ text }: { text: string }) {
  const [title, ...lines] = text.split('\n')
  return (
    <div class="mandate-text">
      <p>
        <strong>{title}</strong>
      </p>
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  )
}

/** Details of an upcoming direct debit. */
export function DebitDetails({ own }: { own: DonorContext }) {
  const { language, donation } = own
  const strings = getMessages('donor-page', language)
  const amount = formatMoney(language, donation.campaign.currency, donation.amount, true)
  const day = donation.collectedOn === null ? undefined : formatDay(language, donation.collectedOn)
  const facts: [string, string | null][] = [
    [strings.mandateReference, donation.mandateReference],
    [strings.creditorId, donation.creditorId]
  ]
  return (
    <section class="card thanks-transfer" aria-labelledby="thanks-debit">
      <h2 id="thanks-debit">
        {day === undefined ? strings.debitTitle({ amount }) : strings.debitTitleOn({ amount, day })}
      </h2>
      <p>{day === undefined ? strings.debitLead : strings.debitLeadOn}</p>
      <dl class="transfer">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label} class="transfer-row">
              <dt>{label}</dt>
              <dd>
                <span class="figure">{value}</span>
              </dd>
            </div>
          )
        )}
      </dl>
      {donation.mandateText === null ? null : (
        <details class="thanks-mandate no-print">
          <summary>{strings.mandateText}</summary>
          <MandateText text={donation.mandateText} />
          {day === undefined ? <Revocation own={own} /> : null}
        </details>
      )}
    </section>
  )
}

/** A donor can revoke until the debit has been sent to the bank. */
function Revocation({ own: { language, token } }: { own: DonorContext }) {
  const strings = getMessages('donor-page', language)
  return (
    <form method="post" action={getPath('thanks', language, token)}>
      <input type="hidden" name="revoke" value="yes" />
      <p>{strings.revokeLead}</p>
      <button type="submit" class="quiet">
        {strings.revoke}
      </button>
    </form>
  )
}
