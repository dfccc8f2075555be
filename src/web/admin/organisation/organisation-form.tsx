import type { Organisation } from '#fundraising/organisation/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, ErrorSummary } from '../../components/field.tsx'
import { getFormFieldValues } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import type { OrganisationFormState } from './organisation.tsx'
import { organisationFields } from './organisation-fields.ts'

export function OrganisationForm({
  context,
  shown,
  action
}: {
  context: AdminContext
  shown: OrganisationFormState
  action: string
}) {
  const { language } = context
  const strings = getMessages('organisation', language)
  const { organisation, input, errors } = shown
  const isAdmin = context.hasRole()
  const form = { context, strings, input, errors, autocomplete: 'off' } as const
  return (
    <>
      <p class="lead">{isAdmin ? strings.lead : strings.leadOfTreasurers}</p>
      <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={shown.general} />
      <Form context={context} action={action} upload>
        <input type="hidden" name="etag" value={shown.etag} />
        {isAdmin ? (
          <fieldset class="card">
            <legend>{strings.who}</legend>
            <FormFields {...form} fields={organisationFields.who} />
          </fieldset>
        ) : null}
        <fieldset class="card">
          <legend>{strings.tax}</legend>
          <p class="hint">{strings.taxHint}</p>
          <FormFields {...form} fields={organisationFields.tax} />
          <fieldset class="field">
            <legend>{strings.exemption}</legend>
            {(['notice', 'provisional', 'none'] as const).map(one => (
              <label key={one} class="check">
                <input type="radio" name="exemptionKind" value={one} checked={input.exemptionKind === one} />
                <span>{strings.exemptionKinds[one]}</span>
              </label>
            ))}
          </fieldset>
          <FormFields {...form} fields={organisationFields.exemption} />
          <Purposes context={context} organisation={organisation} />
          <FormFields {...form} fields={organisationFields.purposes} />
          {organisation.purposeForms.genitive === '' ? null : (
            <p class="hint" lang="de">
              „… zur Förderung {organisation.purposeForms.genitive} …“ „Wir fördern nach unserer Satzung{' '}
              {organisation.purposeForms.accusative}.“
            </p>
          )}
          <FormFields {...form} fields={organisationFields.membershipFees} />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.receipts}</legend>
          <FormFields {...form} fields={organisationFields.receipts} />
          <FormFields
            {...{ context, strings, input, errors }}
            fields={organisationFields.signature}
            overrides={
              organisation.hasSignature
                ? { signature: { hint: `${strings.hasSignature} ${strings.signatureHint}` } }
                : {}
            }
          />
          {organisation.hasSignature ? <Checkbox name="removeSignature" label={strings.removeSignature} /> : null}
        </fieldset>
        {isAdmin ? (
          <>
            <fieldset class="card">
              <legend>{strings.debit}</legend>
              <FormFields {...form} fields={organisationFields.debit} />
            </fieldset>
            <fieldset class="card">
              <legend>{strings.care}</legend>
              <FormFields {...form} fields={organisationFields.care} />
            </fieldset>
          </>
        ) : null}
        <div class="form-foot">
          <button type="submit">{getMessages('admin', language).save}</button>
        </div>
      </Form>
    </>
  )
}

/** The purposes that the law lists, as options. */
function Purposes({ context, organisation }: { context: AdminContext; organisation: Organisation }) {
  const strings = getMessages('organisation', context.language)
  const chosen: string[] =
    context.request.method === 'POST' ? getFormFieldValues(context, 'purposeCodes') : organisation.purposeCodes
  return (
    <details class="field" open={chosen.length > 0}>
      <summary>{strings.purposeCodes}</summary>
      <fieldset class="field">
        <legend class="hint">{strings.purposeCodesHint}</legend>
        {Object.entries(getMessages('purposes', context.language)).map(([code, label]) => (
          <label key={code} class="check">
            <input type="checkbox" name="purposeCodes[]" value={code} checked={chosen.includes(code)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
