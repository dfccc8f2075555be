import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { toBody } from '../shared/forms/form-input.ts'
import { type Correction, correctionFields, findMissingPart } from './donor-fields.ts'

/** Returns the request body for the API, or errors by field name. */
export function validateCorrection(
  context: AdminContext,
  correction: Correction
): { body: object } | { errors: Record<string, string> } {
  const strings = getMessages('donation', context.language).page
  const { hasAddress, missing } = findMissingPart(correction)
  const errors = {
    ...(correction.name === '' ? { name: strings.nameMissing } : {}),
    ...(hasAddress && missing !== undefined ? { [missing]: strings.addressHalf } : {})
  }
  if (Object.keys(errors).length > 0) return { errors }
  const { body } = toBody(context, correctionFields, correction)
  return { body: hasAddress ? body : { ...body, address: null } }
}

export function CorrectionForm({
  context,
  action,
  etag,
  correction,
  errors,
  general
}: {
  context: AdminContext
  action: string
  etag: string
  correction: Correction
  errors: Record<string, string>
  general: string | undefined
}) {
  const strings = getMessages('donation', context.language).page
  const frame = getMessages('admin', context.language)
  const { text: _ofNote, ...ownErrors } = errors
  const form = { context, strings, input: correction, errors, autocomplete: 'off' } as const
  return (
    <section class="card" aria-labelledby="correct">
      <h2 id="correct">{strings.correct}</h2>
      <ErrorSummary title={frame.mend} errors={ownErrors} general={general} />
      <p class="hint part-hint">{strings.correctHint}</p>
      <Form context={context} action={action} id="editor-form">
        <input type="hidden" name="etag" value={etag} />
        <FormFields {...form} fields={correctionFields.donor} />
        <FormFields {...form} fields={correctionFields.message} />
        <FormFields {...form} fields={correctionFields.showName} />
        <FormFields {...form} fields={correctionFields.receipt} />
        <fieldset class="address">
          <legend>{strings.address}</legend>
          <FormFields {...form} fields={correctionFields.address} rowClass="field-row address-row" />
        </fieldset>
        <button type="submit">{frame.save}</button>
      </Form>
    </section>
  )
}
