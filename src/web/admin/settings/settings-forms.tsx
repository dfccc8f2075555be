import type { Language } from '#platform/language.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { adminStrings } from '../../strings/admin.ts'
import { accountRequestStrings } from '../account-requests/strings.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form, LanguageTabs } from '../shared/form.tsx'
import type { SettingsFormState } from './settings.tsx'
import { AccountFields, getFixedHint, LanguageFields, newFieldReader, ZoneField } from './site-fields.tsx'
import { settingsStrings } from './strings.ts'

/** The red of colours.css, as initial value. */
const ownRed = '#a5301b'

export function GeneralForm({ context, settings }: { context: AdminContext; settings: SettingsFormState }) {
  const { language } = context
  const { site, etag, errors } = settings
  const strings = settingsStrings[language]
  const shown = newFieldReader(context)
  const about = { context: context, site, errors, at: '' } as const
  const fixedCurrency = getFixedHint(language, site, 'currency')
  return (
    <>
      <ErrorSummary title={adminStrings[language].mend} errors={errors} general={settings.general} />
      <Form context={context} action="/admin/settings">
        <input type="hidden" name="etag" value={etag} />
        <fieldset class="card">
          <legend>{strings.organisation}</legend>
          <Field
            name="name"
            label={strings.name}
            value={shown('name', site.name)}
            error={errors.name}
            autocomplete="organization"
            maxLength={100}
            required
          />
          <Field
            name="contactEmail"
            type="email"
            label={strings.contactEmail}
            hint={strings.contactHint}
            value={shown('contactEmail', site.contactEmail)}
            error={errors.contactEmail}
            autocomplete="off"
            maxLength={254}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.languagesAndTime}</legend>
          <LanguageFields {...about} />
          <div class="field-row">
            <ZoneField {...about} />
            <Field name="weekStart" label={strings.weekStart}>
              {tied => (
                <select {...tied}>
                  {(['monday', 'sunday'] as const).map(day => (
                    <option key={day} value={day} selected={day === shown('weekStart', site.weekStart)}>
                      {strings.weekStarts[day]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <Field
            name="currency"
            label={strings.currency}
            hint={fixedCurrency ?? strings.currencyHint}
            value={fixedCurrency === undefined ? shown('currency', site.currency) : site.currency}
            error={errors.currency}
            disabled={fixedCurrency !== undefined}
            autocomplete="off"
            maxLength={3}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{strings.look}</legend>
          <AccentFields context={context} settings={settings} />
          <Field
            name="logoUrl"
            label={strings.logoUrl}
            hint={strings.logoHint}
            value={shown('logoUrl', site.logoUrl)}
            error={errors.logoUrl}
            inputMode="url"
            autocomplete="off"
            maxLength={2000}
          />
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
  const shown = newFieldReader(context)
  const written = (['en', 'de'] as const).filter(one =>
    (['tagline', 'about', 'imprint', 'privacy'] as const).some(name => site[name][one] !== '')
  )
  const text = (name: 'about' | 'imprint' | 'privacy', hint: string, maxLength: number) => (
    <Field
      name={`${name}/${lang}`}
      label={strings[name]}
      hint={
        <>
          {hint}{' '}
          <a href={getPath(name, lang)}>
            {strings.viewPage}
            <span class="visually-hidden">: {strings[name]}</span>
          </a>
        </>
      }
      error={errors[`${name}/${lang}`]}
    >
      {tied => (
        <textarea {...tied} lang={lang} rows={name === 'about' ? 8 : 10} maxLength={maxLength}>
          {shown(`${name}/${lang}`, site[name][lang])}
        </textarea>
      )}
    </Field>
  )
  return (
    <>
      <LanguageTabs context={context} path={path} current={lang} written={written} />
      <ErrorSummary title={adminStrings[language].mend} errors={errors} general={settings.general} />
      <Form context={context} action={path} class="card">
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="lang" value={lang} />
        <Field
          name={`tagline/${lang}`}
          label={strings.tagline}
          hint={strings.taglineHint}
          value={shown(`tagline/${lang}`, site.tagline[lang])}
          error={errors[`tagline/${lang}`]}
          lang={lang}
          maxLength={200}
        />
        {text('about', strings.aboutHint, 20_000)}
        {text('imprint', strings.imprintHint, 50_000)}
        {text('privacy', strings.privacyHint, 100_000)}
        <button type="submit">{adminStrings[language].save}</button>
      </Form>
    </>
  )
}
