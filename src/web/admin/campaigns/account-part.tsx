import { getMessages } from '#platform/messages/messages.ts'
import { formatIban } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { AccountHistory } from './account-changes.tsx'
import { campaignFields } from './campaign-fields.ts'
import type { Part } from './campaign-form.tsx'

/** Fields of the campaign's bank account. */
export function AccountPart({
  context,
  draft: { input, errors, saved, needsSecondPerson = false, accounts = [] }
}: Part) {
  const strings = getMessages('campaign', context.language).form
  const { formHint, newHint } = getMessages('account-request', context.language)
  return (
    <section class="card">
      <h2>{strings.account}</h2>
      <p class="hint part-hint">{strings.accountHint}</p>
      {needsSecondPerson ? <p class="hint part-hint">{saved === undefined ? newHint : formHint}</p> : null}
      <FormFields
        {...{ context, strings, input, errors }}
        fields={campaignFields.account}
        overrides={{ iban: { value: formatIban(normalizeIban(input.iban)) } }}
      />
      <AccountHistory context={context} changes={accounts} />
    </section>
  )
}
