import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, FieldError, getFieldAttributes } from '../../../components/field.tsx'
import type { AdminContext } from '../../shared/context.ts'
import type { FormErrors } from '../../shared/editor.tsx'
import { Form } from '../../shared/form.tsx'
import { FormFields } from '../../shared/forms/form-fields.tsx'
import type { PictureChoices } from '../picture.ts'
import { PicturePart } from '../picture-part.tsx'
import { type UpdateInput, updateFields } from './update-fields.ts'

/** State of the form. */
export interface UpdateDraft extends FormErrors {
  /** Undefined for a new update. */
  saved: CampaignUpdate | undefined
  etag: string
  input: UpdateInput
  choices: PictureChoices
}

/** An update in both languages, side by side where there is room. */
export function UpdateForm({ context, action, draft }: { context: AdminContext; action: string; draft: UpdateDraft }) {
  const { saved, etag, input, choices, errors, general } = draft
  const strings = getMessages('update', context.language)
  const frame = getMessages('admin', context.language)
  const form = { context, strings: strings.form, input, errors }
  return (
    <Form context={context} action={action} draft={action} upload class="editor money" id="editor-form">
      <input type="hidden" name="etag" value={etag} />
      <ErrorSummary title={frame.mend} errors={errors} general={general} />
      <div class="editor-columns">
        <div class="editor-main">
          <section class="card">
            <h2>{context.language === 'de' ? strings.form.german : strings.form.english}</h2>
            <FormFields {...form} fields={context.language === 'de' ? updateFields.german : updateFields.english} />
            <p class="hint">{strings.form.removeHint}</p>
          </section>
          <section class="card">
            <h2>{context.language === 'de' ? strings.form.english : strings.form.german}</h2>
            <FormFields {...form} fields={context.language === 'de' ? updateFields.english : updateFields.german} />
          </section>
        </div>
        <div class="editor-side">
          <section class="card">
            <h2>{strings.form.publication}</h2>
            <StatusChoice context={context} input={input} error={errors.status} />
            <FormFields {...form} fields={updateFields.when} />
          </section>
          <PicturePart context={context} title={strings.form.picture} {...{ input, choices, errors }} />
        </div>
      </div>
      <div class="editor-bar">
        <button type="submit">{saved === undefined ? frame.create : frame.save}</button>
      </div>
    </Form>
  )
}

function StatusChoice({
  context,
  input,
  error
}: {
  context: AdminContext
  input: UpdateInput
  error: string | undefined
}) {
  const strings = getMessages('update', context.language)
  const { id } = getFieldAttributes('status', false, error)
  return (
    <fieldset class="field choices" id={id}>
      <legend class="visually-hidden">{strings.form.status}</legend>
      {(['draft', 'published'] as const).map(status => (
        <label key={status} class="check">
          <input type="radio" name="status" value={status} checked={input.status === status} />
          <span>
            {strings.statuses[status]} <span class="hint choice-hint">{strings.statusHints[status]}</span>
          </span>
        </label>
      ))}
      <FieldError of={id} error={error} />
    </fieldset>
  )
}
