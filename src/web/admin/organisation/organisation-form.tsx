import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { Language } from '#platform/language.ts'
import { Checkbox, ErrorSummary, Field, type InputProps } from '../../components/field.tsx'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { adminStrings } from '../../strings/admin.ts'
import { newFieldReader } from '../settings/site-fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import type { OrganisationFormState } from './organisation.tsx'
import { purposeStrings } from './purpose-strings.ts'
import { organisationStrings } from './strings.ts'

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
  const strings = organisationStrings[language]
  const { organisation, errors } = shown
  const value = newFieldReader(context)
  const isSent = context.request.method === 'POST'
  const line = (
    name: string,
    label: string,
    saved: string | null | undefined,
    more: InputProps & { hint?: string } = {}
  ) => <Field name={name} label={label} value={value(name, saved)} error={errors[name]} autocomplete="off" {...more} />
  const ticked = (name: 'confirmationMails' | 'messagesNeedReview' | 'proofOfWork' | 'membershipFeesDeductible') =>
    isSent ? getFormField(context, name) === 'yes' : organisation[name]
  const kind = value('exemptionKind', organisation.exemption?.kind ?? 'none')
  return (
    <>
      <p class="lead">{strings.lead}</p>
      <ErrorSummary title={adminStrings[language].mend} errors={errors} general={shown.general} />
      <Form context={context} action={action} upload>
        <input type="hidden" name="etag" value={shown.etag} />
        <fieldset class="card">
          <legend>{strings.who}</legend>
          {line('legalName', strings.legalName, organisation.legalName, {
            hint: strings.legalNameHint,
            maxLength: 140
          })}
          {line('street', strings.street, organisation.address?.street, { maxLength: 140 })}
          <div class="field-row">
            {line('postalCode', strings.postalCode, organisation.address?.postalCode, { maxLength: 60 })}
            {line('city', strings.city, organisation.address?.city, { maxLength: 140 })}
            {line('country', strings.country, organisation.address?.country, {
              hint: strings.countryHint,
              maxLength: 2
            })}
          </div>
        </fieldset>
        <fieldset class="card">
          <legend>{strings.tax}</legend>
          <p class="hint">{strings.taxHint}</p>
          <div class="field-row">
            {line('taxOffice', strings.taxOffice, organisation.taxOffice, {
              hint: strings.taxOfficeHint,
              maxLength: 100
            })}
            {line('taxNumber', strings.taxNumber, organisation.taxNumber, { maxLength: 100 })}
          </div>
          <fieldset class="field">
            <legend>{strings.exemption}</legend>
            {(['notice', 'provisional', 'none'] as const).map(one => (
              <label key={one} class="check">
                <input type="radio" name="exemptionKind" value={one} checked={kind === one} />
                <span>{strings.exemptionKinds[one]}</span>
              </label>
            ))}
          </fieldset>
          <div class="field-row">
            {line('exemptionDate', strings.exemptionDate, organisation.exemption?.date, { type: 'date' })}
            {line('exemptionPeriod', strings.exemptionPeriod, organisation.exemption?.period, {
              hint: strings.exemptionPeriodHint,
              maxLength: 100
            })}
          </div>
          <Purposes context={context} organisation={organisation} />
          {line('purposes', strings.purposes, organisation.purposes, {
            hint: strings.purposesHint,
            maxLength: 300,
            lang: 'de' satisfies Language
          })}
          {organisation.purposeForms.genitive === '' ? null : (
            <p class="hint" lang="de">
              „… zur Förderung {organisation.purposeForms.genitive} …“ „Wir fördern nach unserer Satzung{' '}
              {organisation.purposeForms.accusative}.“
            </p>
          )}
          <Checkbox
            name="membershipFeesDeductible"
            label={strings.membershipFeesDeductible}
            hint={strings.membershipFeesHint}
            checked={ticked('membershipFeesDeductible')}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.receipts}</legend>
          <div class="field-row">
            {line('signatory', strings.signatory, organisation.signatory, { maxLength: 140 })}
            {line('signatoryRole', strings.signatoryRole, organisation.signatoryRole, { maxLength: 140 })}
          </div>
          {line('receiptPrefix', strings.receiptPrefix, organisation.receiptPrefix, {
            hint: strings.receiptPrefixHint,
            maxLength: 10
          })}
          {line('taxOfficeInformedOn', strings.informedOn, organisation.taxOfficeInformedOn, {
            hint: strings.informedHint,
            type: 'date'
          })}
          <Field
            name="signature"
            label={strings.signature}
            hint={
              organisation.hasSignature ? `${strings.hasSignature} ${strings.signatureHint}` : strings.signatureHint
            }
            error={errors.signature}
          >
            {tied => <input {...tied} type="file" accept="image/png,image/jpeg" />}
          </Field>
          {organisation.hasSignature ? <Checkbox name="removeSignature" label={strings.removeSignature} /> : null}
        </fieldset>
        <fieldset class="card">
          <legend>{strings.debit}</legend>
          {line('creditorId', strings.creditorId, organisation.creditorId, {
            hint: strings.creditorIdHint,
            maxLength: 60,
            spellcheck: false
          })}
          {line('preNotificationDays', strings.preNotificationDays, String(organisation.preNotificationDays), {
            type: 'number',
            min: 1,
            max: 30
          })}
        </fieldset>
        <fieldset class="card">
          <legend>{strings.care}</legend>
          <Checkbox
            name="confirmationMails"
            label={strings.confirmationMails}
            hint={strings.confirmationMailsHint}
            checked={ticked('confirmationMails')}
          />
          {line('reviewAbove', strings.reviewAbove, formatAmount(language, organisation.reviewAbove), {
            hint: strings.reviewAboveHint,
            inputMode: 'decimal',
            maxLength: 20
          })}
          <Checkbox
            name="messagesNeedReview"
            label={strings.messagesNeedReview}
            hint={strings.messagesNeedReviewHint}
            checked={ticked('messagesNeedReview')}
          />
          <Checkbox
            name="proofOfWork"
            label={strings.proofOfWork}
            hint={strings.proofOfWorkHint}
            checked={ticked('proofOfWork')}
          />
          {line('retentionYears', strings.retentionYears, String(organisation.retentionYears), {
            hint: strings.retentionYearsHint,
            type: 'number',
            min: 6,
            max: 30
          })}
        </fieldset>
        <div class="form-foot">
          <button type="submit">{adminStrings[language].save}</button>
        </div>
      </Form>
    </>
  )
}

/** The purposes that the law lists, as options. */
function Purposes({ context, organisation }: { context: AdminContext; organisation: Organisation }) {
  const strings = organisationStrings[context.language]
  const chosen: string[] =
    context.request.method === 'POST' ? getFormFieldValues(context, 'purposeCodes') : organisation.purposeCodes
  return (
    <details class="field" open={chosen.length > 0}>
      <summary>{strings.purposeCodes}</summary>
      <fieldset class="field">
        <legend class="hint">{strings.purposeCodesHint}</legend>
        {Object.entries(purposeStrings[context.language]).map(([code, label]) => (
          <label key={code} class="check">
            <input type="checkbox" name="purposeCodes[]" value={code} checked={chosen.includes(code)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}

/** Formats an amount for an input field. */
function formatAmount(language: Language, amount: number | null): string | undefined {
  if (amount === null) return undefined
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false }).format(amount)
}
