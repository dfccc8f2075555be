import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { Language } from '#platform/language.ts'
import { consoleWords } from '../../text/console.ts'
import { organisationWords } from '../../text/organisation.ts'
import { purposeWords } from '../../text/purposes.ts'
import { Check, ErrorSummary, Field, type InputProps } from '../../ui/field.tsx'
import { field, fieldValues } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'
import type { Shown } from './organisation.tsx'
import { shownIn } from './site-fields.tsx'

export function OrganisationForm({ desk, shown, action }: { desk: Desk; shown: Shown; action: string }) {
  const { language } = desk
  const words = organisationWords[language]
  const { organisation, errors } = shown
  const value = shownIn(desk)
  const isSent = desk.request.method === 'POST'
  const line = (
    name: string,
    label: string,
    saved: string | null | undefined,
    more: InputProps & { hint?: string } = {}
  ) => <Field name={name} label={label} value={value(name, saved)} error={errors[name]} autocomplete="off" {...more} />
  const ticked = (name: 'confirmationMails' | 'messagesNeedReview' | 'proofOfWork' | 'membershipFeesDeductible') =>
    isSent ? field(desk, name) === 'yes' : organisation[name]
  const kind = value('exemptionKind', organisation.exemption?.kind ?? 'none')
  return (
    <>
      <p class="lead">{words.lead}</p>
      <ErrorSummary title={consoleWords[language].mend} errors={errors} general={shown.general} />
      <Form desk={desk} action={action} upload>
        <input type="hidden" name="etag" value={shown.etag} />
        <fieldset class="card">
          <legend>{words.who}</legend>
          {line('legalName', words.legalName, organisation.legalName, { hint: words.legalNameHint, maxLength: 140 })}
          {line('street', words.street, organisation.address?.street, { maxLength: 140 })}
          <div class="field-row">
            {line('postalCode', words.postalCode, organisation.address?.postalCode, { maxLength: 60 })}
            {line('city', words.city, organisation.address?.city, { maxLength: 140 })}
            {line('country', words.country, organisation.address?.country, { hint: words.countryHint, maxLength: 2 })}
          </div>
        </fieldset>
        <fieldset class="card">
          <legend>{words.tax}</legend>
          <p class="hint">{words.taxHint}</p>
          <div class="field-row">
            {line('taxOffice', words.taxOffice, organisation.taxOffice, { hint: words.taxOfficeHint, maxLength: 100 })}
            {line('taxNumber', words.taxNumber, organisation.taxNumber, { maxLength: 100 })}
          </div>
          <fieldset class="field">
            <legend>{words.exemption}</legend>
            {(['notice', 'provisional', 'none'] as const).map(one => (
              <label key={one} class="check">
                <input type="radio" name="exemptionKind" value={one} checked={kind === one} />
                <span>{words.exemptionKinds[one]}</span>
              </label>
            ))}
          </fieldset>
          <div class="field-row">
            {line('exemptionDate', words.exemptionDate, organisation.exemption?.date, { type: 'date' })}
            {line('exemptionPeriod', words.exemptionPeriod, organisation.exemption?.period, {
              hint: words.exemptionPeriodHint,
              maxLength: 100
            })}
          </div>
          <Purposes desk={desk} organisation={organisation} />
          {line('purposes', words.purposes, organisation.purposes, {
            hint: words.purposesHint,
            maxLength: 300,
            lang: 'de' satisfies Language
          })}
          {organisation.purposeForms.genitive === '' ? null : (
            <p class="hint" lang="de">
              „… zur Förderung {organisation.purposeForms.genitive} …“ „Wir fördern nach unserer Satzung{' '}
              {organisation.purposeForms.accusative}.“
            </p>
          )}
          <Check
            name="membershipFeesDeductible"
            label={words.membershipFeesDeductible}
            hint={words.membershipFeesHint}
            checked={ticked('membershipFeesDeductible')}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{words.receipts}</legend>
          <div class="field-row">
            {line('signatory', words.signatory, organisation.signatory, { maxLength: 140 })}
            {line('signatoryRole', words.signatoryRole, organisation.signatoryRole, { maxLength: 140 })}
          </div>
          {line('receiptPrefix', words.receiptPrefix, organisation.receiptPrefix, {
            hint: words.receiptPrefixHint,
            maxLength: 10
          })}
          {line('taxOfficeInformedOn', words.informedOn, organisation.taxOfficeInformedOn, {
            hint: words.informedHint,
            type: 'date'
          })}
          <Field
            name="signature"
            label={words.signature}
            hint={organisation.hasSignature ? `${words.hasSignature} ${words.signatureHint}` : words.signatureHint}
            error={errors.signature}
          >
            {tied => <input {...tied} type="file" accept="image/png,image/jpeg" />}
          </Field>
          {organisation.hasSignature ? <Check name="removeSignature" label={words.removeSignature} /> : null}
        </fieldset>
        <fieldset class="card">
          <legend>{words.debit}</legend>
          {line('creditorId', words.creditorId, organisation.creditorId, {
            hint: words.creditorIdHint,
            maxLength: 60,
            spellcheck: false
          })}
          {line('preNotificationDays', words.preNotificationDays, String(organisation.preNotificationDays), {
            type: 'number',
            min: 1,
            max: 30
          })}
        </fieldset>
        <fieldset class="card">
          <legend>{words.care}</legend>
          <Check
            name="confirmationMails"
            label={words.confirmationMails}
            hint={words.confirmationMailsHint}
            checked={ticked('confirmationMails')}
          />
          {line('reviewAbove', words.reviewAbove, amountOf(language, organisation.reviewAbove), {
            hint: words.reviewAboveHint,
            inputMode: 'decimal',
            maxLength: 20
          })}
          <Check
            name="messagesNeedReview"
            label={words.messagesNeedReview}
            hint={words.messagesNeedReviewHint}
            checked={ticked('messagesNeedReview')}
          />
          <Check
            name="proofOfWork"
            label={words.proofOfWork}
            hint={words.proofOfWorkHint}
            checked={ticked('proofOfWork')}
          />
          {line('retentionYears', words.retentionYears, String(organisation.retentionYears), {
            hint: words.retentionYearsHint,
            type: 'number',
            min: 6,
            max: 30
          })}
        </fieldset>
        <div class="form-foot">
          <button type="submit">{consoleWords[language].save}</button>
        </div>
      </Form>
    </>
  )
}

/** The list of the law, to choose from. */
function Purposes({ desk, organisation }: { desk: Desk; organisation: Organisation }) {
  const words = organisationWords[desk.language]
  const chosen: string[] =
    desk.request.method === 'POST' ? fieldValues(desk, 'purposeCodes') : organisation.purposeCodes
  return (
    <details class="field" open={chosen.length > 0}>
      <summary>{words.purposeCodes}</summary>
      <fieldset class="field">
        <legend class="hint">{words.purposeCodesHint}</legend>
        {Object.entries(purposeWords[desk.language]).map(([code, label]) => (
          <label key={code} class="check">
            <input type="checkbox" name="purposeCodes[]" value={code} checked={chosen.includes(code)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}

/** As somebody would type it. */
function amountOf(language: Language, amount: number | null): string | undefined {
  if (amount === null) return undefined
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false }).format(amount)
}
