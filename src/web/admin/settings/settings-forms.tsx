import type { Language } from '#platform/language.ts'
import type { Site } from '#platform/site/schema.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { adminStrings } from '../../strings/admin.ts'
import { accountRequestStrings } from '../account-requests/strings.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form, LanguageTabs } from '../shared/form.tsx'
import type { FieldGroups, FieldInput } from '../shared/forms/field-definition.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { parseInput, toInput } from '../shared/forms/form-input.ts'
import type { SettingsFormState } from './settings.tsx'
import { generalFields, newTextFields, textPages } from './settings-fields.ts'
import { AccountFields, getFixedHint, LanguageFields, ZoneField } from './site-fields.tsx'
import { settingsStrings } from './strings.ts'

/** The red of colours.css, as initial value. */
const ownRed = '#a5301b'

/** The input that was sent, else the saved values. */
function readInput<Groups extends FieldGroups>(context: AdminContext, fields: Groups, site: Site): FieldInput<Groups> {
  return context.request.method === 'POST' ? parseInput(context, fields) : toInput(context, fields, site)
}

export function GeneralForm({ context, settings }: { context: AdminContext; settings: SettingsFormState }) {
  const { language } = context
  const { site, etag, errors } = settings
  const strings = settingsStrings[language]
  const form = { context, strings, input: readInput(context, generalFields, site), errors }
  const weekStarts = Object.entries(strings.weekStarts).map(([value, label]) => ({ value, label }))
  const about = { context: context, site, errors, at: '' } as const
  const fixedCurrency = getFixedHint(language, site, 'currency')
  return (
    <>
      <ErrorSummary title={adminStrings[language].mend} errors={errors} general={settings.general} />
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
          <legend>{strings.look}</legend>
          <AccentFields context={context} settings={settings} />
          <FormFields {...form} fields={generalFields.logo} />
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
            label={accountRequestStrings[language].setting}
            hint={accountRequestStrings[language].settingHint}
            error={errors.secondPersonForAccounts}
            checked={
              context.request.method === 'POST'
                ? getFormField(context, 'secondPersonForAccounts') !== ''
                : site.secondPersonForAccounts === true
            }
          />
        </fieldset>
        <div class="form-foot">
          <button type="submit">{adminStrings[language].save}</button>
        </div>
      </Form>
    </>
  )
}

function AccentFields({ context, settings: { site, errors } }: { context: AdminContext; settings: SettingsFormState }) {
  const strings = settingsStrings[context.language]
  const isSent = context.request.method === 'POST'
  const isOwn = isSent ? getFormField(context, 'accentOwn') !== '' : site.accent !== null
  const accent = isSent ? getFormField(context, 'accent') : (site.accent ?? ownRed)
  return (
    <>
      <Checkbox name="accentOwn" label={strings.accentOwn} hint={strings.accentOwnHint} checked={isOwn} />
      <Field name="accent" label={strings.accent} hint={strings.accentHint} error={errors.accent}>
        {tied => <input {...tied} type="color" value={accent} data-accent />}
      </Field>
      <div class="accent-sample">
        <p class="faded">{strings.sample}</p>
        <span class="button small">{strings.sampleButton}</span>
        <p>
          <span class="sample-link">{strings.sampleLink}</span>
        </p>
        <span class="badge">{strings.sampleBadge}</span>
      </div>
    </>
  )
}

export function TextsForm({
  context,
  settings,
  lang,
  path
}: {
  context: AdminContext
  settings: SettingsFormState
  lang: Language
  path: string
}) {
  const { language } = context
  const { site, etag, errors } = settings
  const strings = settingsStrings[language]
  const fields = newTextFields(lang)
  const form = { context, strings, input: readInput(context, fields, site), errors }
  const written = (['en', 'de'] as const).filter(one =>
    (['tagline', ...textPages] as const).some(name => site[name][one] !== '')
  )
  const hints = textPages.map(name => [
    `${name}/${lang}`,
    {
      hint: (
        <>
          {strings[`${name}Hint`]}{' '}
          <a href={getPath(name, lang)}>
            {strings.viewPage}
            <span class="visually-hidden">: {strings[name]}</span>
          </a>
        </>
      )
    }
  ])
  return (
    <>
      <LanguageTabs context={context} path={path} current={lang} written={written} />
      <ErrorSummary title={adminStrings[language].mend} errors={errors} general={settings.general} />
      <Form context={context} action={path} draft={`${path}?lang=${lang}`} class="card">
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="lang" value={lang} />
        <FormFields {...form} fields={fields.tagline} />
        <FormFields {...form} fields={fields.pages} overrides={Object.fromEntries(hints)} />
        <button type="submit">{adminStrings[language].save}</button>
      </Form>
    </>
  )
}
