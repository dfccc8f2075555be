import { Field, getFieldAttributes } from '../../components/field.tsx'
import { formatIban } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import { accountRequestStrings } from '../account-requests/strings.ts'
import { AccountHistory } from './account-changes.tsx'
import type { Part } from './campaign-form.tsx'
import { campaignStrings } from './strings.ts'

/** Fields of the campaign's bank account. */
export function AccountPart({
  context,
  draft: { input, errors, saved, needsSecondPerson = false, accounts = [] }
}: Part) {
  const strings = campaignStrings[context.language].form
  const { formHint, newHint } = accountRequestStrings[context.language]
  return (
    <section class="card">
      <h2>{strings.account}</h2>
      <p class="hint part-hint">{strings.accountHint}</p>
      {needsSecondPerson ? <p class="hint part-hint">{saved === undefined ? newHint : formHint}</p> : null}
      <Field
        name="holder"
        label={strings.holder}
        hint={strings.holderHint}
        value={input.holder}
        error={errors.holder}
        autocomplete="off"
        maxLength={140}
        required
      />
      <div class="field-row">
        <Field
          name="iban"
          label={strings.iban}
          value={formatIban(normalizeIban(input.iban))}
          error={errors.iban}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={60}
          data-bank={getFieldAttributes('bank', false, undefined).id}
          required
        />
        <Field
          name="bank"
          label={strings.bank}
          hint={strings.bankHint}
          value={input.bank}
          error={errors.bank}
          autocomplete="off"
          maxLength={140}
        />
      </div>
      <AccountHistory context={context} changes={accounts} />
    </section>
  )
}
