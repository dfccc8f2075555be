import { getMessages } from '#platform/messages/messages.ts'
import type { Site } from '#platform/site/schema.ts'
import { Checkbox, ErrorSummary } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import type { FieldGroups, FieldInput } from '../shared/forms/field-definition.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { parseInput, toInput } from '../shared/forms/form-input.ts'
import type { SettingsFormState } from './settings.tsx'
import { generalFields } from './settings-fields.ts'
import { AccountFields, getFixedHint, LanguageFields, ZoneField } from './site-fields.tsx'

/** The input that was sent, else the saved values. */
function readInput<Groups extends FieldGroups>(context: AdminContext, fields: Groups, site: Site): FieldInput<Groups> {
  return context.request.method === 'POST' ? parseInput(context, fields) : toInput(context, fields, site)
}

export function GeneralForm({ context, settings }: { context: AdminContext; settings: SettingsFormState }) {
  const { language } = context
  const { site, etag, errors } = settings
  const strings = getMessages('settings', language)
  const form = { context, strings, input: readInput(context, generalFields, site), errors }
  const weekStarts = Object.entries(strings.weekStarts).map(([value, label]) => ({ value, label }))
  const about = { context: context, site, errors, at: '' } as const
  const fixedCurrency = getFixedHint(language, site, 'currency')
  return (
    <>
      <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={settings.general} />
      <Form context={context} action="/admin/settings">
        <input type="hidden" name="etag" value={etag} />
        <fieldset class="card">
          <legend>{strings.organisation}</legend>
          <FormFields {...form} fields={generalFields.organisation} />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.languagesAndTime}</legend>
          <LanguageFields {...about} />
          <div class="field-row">
            <ZoneField {...about} />
            <FormFields {...form} fields={generalFields.weekStart} overrides={{ weekStart: { options: weekStarts } }} />
          </div>
          <FormFields
            {...form}
            fields={generalFields.currency}
            overrides={
              fixedCurrency === undefined
                ? {}
                : { currency: { hint: fixedCurrency, value: site.currency, disabled: true } }
            }
          />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.suggestions}</legend>
          <FormFields {...form} fields={generalFields.suggestions} />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.bank}</legend>
          <p class="hint">{strings.bankHint}</p>
          <AccountFields {...about} />
          <Checkbox
            name="secondPersonForAccounts"
            label={getMessages('account-request', language).setting}
            hint={getMessages('account-request', language).settingHint}
            error={errors.secondPersonForAccounts}
            checked={
              context.request.method === 'POST'
                ? getFormField(context, 'secondPersonForAccounts') !== ''
                : site.secondPersonForAccounts === true
            }
          />
        </fieldset>
        <div class="form-foot">
          <button type="submit">{getMessages('admin', language).save}</button>
        </div>
      </Form>
    </>
  )
}
