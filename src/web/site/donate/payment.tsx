import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { MandateTerms } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatIban } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import { Mandate, PaymentMethods } from './direct-debit.tsx'
import type { FormState } from './donate-form.tsx'

/** Payment section: the account to transfer to or, if the organisation can collect, the account to debit. */
export function Payment({
  language,
  campaign,
  mandate,
  form
}: {
  language: Language
  campaign: Campaign
  mandate: MandateTerms | undefined
  form: FormState
}) {
  const strings = getMessages('donate', language).form
  return (
    <fieldset class="donate-account">
      <legend>{mandate === undefined ? strings.byTransfer : strings.payment}</legend>
      {mandate === undefined ? null : <PaymentMethods language={language} typed={form.typed} />}
      <div class="donate-to if-transfer">
        <p>{strings.transferNext}</p>
        <dl>
          <div>
            <dt>{strings.payee}</dt>
            <dd>{campaign.account.name}</dd>
          </div>
          <div>
            <dt>{strings.iban}</dt>
            <dd class="figure">{formatIban(campaign.account.iban)}</dd>
          </div>
        </dl>
      </div>
      {mandate === undefined ? null : <FromAccount language={language} mandate={mandate} form={form} />}
    </fieldset>
  )
}

/** Account fields, only for direct debit. */
function FromAccount({
  language,
  mandate,
  form: { typed, errors }
}: {
  language: Language
  mandate: MandateTerms
  form: FormState
}) {
  const strings = getMessages('donate', language).form
  return (
    <div class="if-debit">
      <Field
        name="iban"
        label={strings.ownIban}
        hint={strings.ibanDebitHint}
        error={errors.iban}
        value={/^[A-Za-z0-9\s]*$/.test(typed.iban) ? formatIban(normalizeIban(typed.iban)) : typed.iban}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        required
        maxLength={60}
      />
      <p class="field-good" id="iban-good" role="status" />
      <Field
        name="bank"
        label={strings.bank}
        error={errors.bank}
        value={typed.bank}
        autocomplete="off"
        maxLength={140}
      />
      <Mandate language={language} terms={mandate} typed={typed} error={errors.mandate} />
    </div>
  )
}
