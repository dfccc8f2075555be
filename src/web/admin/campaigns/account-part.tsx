import { ibanInFours } from '../../format.ts'
import { plainIban } from '../../iban.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { Field, tiedTo } from '../../ui/field.tsx'
import { AccountHistory } from './account-changes.tsx'
import type { Part } from './campaign-form.tsx'

/** Where the money of a campaign goes. */
export function AccountPart({ desk, draft: { input, errors, saved, needsSecondPerson = false, accounts = [] } }: Part) {
  const words = campaignWords[desk.language].form
  const { formHint, newHint } = accountRequestWords[desk.language]
  return (
    <section class="card">
      <h2>{words.account}</h2>
      <p class="hint part-hint">{words.accountHint}</p>
      {needsSecondPerson ? <p class="hint part-hint">{saved === undefined ? newHint : formHint}</p> : null}
      <Field
        name="holder"
        label={words.holder}
        hint={words.holderHint}
        value={input.holder}
        error={errors.holder}
        autocomplete="off"
        maxLength={140}
        required
      />
      <div class="field-row">
        <Field
          name="iban"
          label={words.iban}
          value={ibanInFours(plainIban(input.iban))}
          error={errors.iban}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={60}
          data-bank={tiedTo('bank', false, undefined).id}
          required
        />
        <Field
          name="bank"
          label={words.bank}
          hint={words.bankHint}
          value={input.bank}
          error={errors.bank}
          autocomplete="off"
          maxLength={140}
        />
      </div>
      <AccountHistory desk={desk} changes={accounts} />
    </section>
  )
}
