import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { MandateTerms } from '#fundraising/direct-debit/mandates/schema.ts'
import type { Language } from '#platform/language.ts'
import { ibanInFours } from '../../format.ts'
import { plainIban } from '../../iban.ts'
import { donateWords } from '../../text/donate.ts'
import { Field } from '../../ui/field.tsx'
import { Mandate, Ways } from './direct-debit.tsx'
import type { FormState } from './donate-form.tsx'

/** How the money comes: where a donor transfers it to, and, where the organisation can collect it, from which account. */
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
  const words = donateWords[language].form
  return (
    <fieldset class="donate-account">
      <legend>{mandate === undefined ? words.byTransfer : words.payment}</legend>
      {mandate === undefined ? null : <Ways language={language} typed={form.typed} />}
      <div class="donate-to if-transfer">
        <p>{words.transferNext}</p>
        <dl>
          <div>
            <dt>{words.payee}</dt>
            <dd>{campaign.account.name}</dd>
          </div>
          <div>
            <dt>{words.iban}</dt>
            <dd class="figure">{ibanInFours(campaign.account.iban)}</dd>
          </div>
        </dl>
      </div>
      {mandate === undefined ? null : <FromAccount language={language} mandate={mandate} form={form} />}
    </fieldset>
  )
}

/** Only whoever has it collected is asked for an account. */
function FromAccount({
  language,
  mandate,
  form: { typed, errors }
}: {
  language: Language
  mandate: MandateTerms
  form: FormState
}) {
  const words = donateWords[language].form
  return (
    <div class="if-debit">
      <Field
        name="iban"
        label={words.ownIban}
        hint={words.ibanDebitHint}
        error={errors.iban}
        value={/^[A-Za-z0-9\s]*$/.test(typed.iban) ? ibanInFours(plainIban(typed.iban)) : typed.iban}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        required
        maxLength={60}
      />
      <p class="field-good" id="iban-good" role="status" />
      <Field name="bank" label={words.bank} error={errors.bank} value={typed.bank} autocomplete="off" maxLength={140} />
      <Mandate language={language} terms={mandate} typed={typed} error={errors.mandate} />
    </div>
  )
}
