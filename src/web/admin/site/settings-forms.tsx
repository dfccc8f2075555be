import type { Language } from '#platform/language.ts'
import { pathTo } from '../../paths.ts'
import { accountRequestWords } from '../../text/account-requests.ts'
import { consoleWords } from '../../text/console.ts'
import { settingsWords } from '../../text/settings.ts'
import { Check, ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form, LanguageTabs } from '../form.tsx'
import type { Settings } from './settings.tsx'
import { AccountFields, fixedHint, LanguageFields, shownIn, ZoneField } from './site-fields.tsx'

/** The red of colours.css, to begin with. */
const ownRed = '#a5301b'

export function GeneralForm({ desk, settings }: { desk: Desk; settings: Settings }) {
  const { language } = desk
  const { site, etag, errors } = settings
  const words = settingsWords[language]
  const shown = shownIn(desk)
  const about = { visit: desk, site, errors, at: '' } as const
  const fixedCurrency = fixedHint(language, site, 'currency')
  return (
    <>
      <ErrorSummary title={consoleWords[language].mend} errors={errors} general={settings.general} />
      <Form desk={desk} action="/admin/settings">
        <input type="hidden" name="etag" value={etag} />
        <fieldset class="card">
          <legend>{words.organisation}</legend>
          <Field
            name="name"
            label={words.name}
            value={shown('name', site.name)}
            error={errors.name}
            autocomplete="organization"
            maxLength={100}
            required
          />
          <Field
            name="contactEmail"
            type="email"
            label={words.contactEmail}
            hint={words.contactHint}
            value={shown('contactEmail', site.contactEmail)}
            error={errors.contactEmail}
            autocomplete="off"
            maxLength={254}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{words.languagesAndTime}</legend>
          <LanguageFields {...about} />
          <div class="field-row">
            <ZoneField {...about} />
            <Field name="weekStart" label={words.weekStart}>
              {tied => (
                <select {...tied}>
                  {(['monday', 'sunday'] as const).map(day => (
                    <option key={day} value={day} selected={day === shown('weekStart', site.weekStart)}>
                      {words.weekStarts[day]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <Field
            name="currency"
            label={words.currency}
            hint={fixedCurrency ?? words.currencyHint}
            value={fixedCurrency === undefined ? shown('currency', site.currency) : site.currency}
            error={errors.currency}
            disabled={fixedCurrency !== undefined}
            autocomplete="off"
            maxLength={3}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{words.look}</legend>
          <AccentFields desk={desk} settings={settings} />
          <Field
            name="logoUrl"
            label={words.logoUrl}
            hint={words.logoHint}
            value={shown('logoUrl', site.logoUrl)}
            error={errors.logoUrl}
            inputMode="url"
            autocomplete="off"
            maxLength={2000}
          />
        </fieldset>
        <fieldset class="card">
          <legend>{words.bank}</legend>
          <p class="hint">{words.bankHint}</p>
          <AccountFields {...about} />
          <Check
            name="secondPersonForAccounts"
            label={accountRequestWords[language].setting}
            hint={accountRequestWords[language].settingHint}
            error={errors.secondPersonForAccounts}
            checked={
              desk.request.method === 'POST'
                ? field(desk, 'secondPersonForAccounts') !== ''
                : site.secondPersonForAccounts === true
            }
          />
        </fieldset>
        <div class="form-foot">
          <button type="submit">{consoleWords[language].save}</button>
        </div>
      </Form>
    </>
  )
}

function AccentFields({ desk, settings: { site, errors } }: { desk: Desk; settings: Settings }) {
  const words = settingsWords[desk.language]
  const isSent = desk.request.method === 'POST'
  const isOwn = isSent ? field(desk, 'accentOwn') !== '' : site.accent !== null
  const accent = isSent ? field(desk, 'accent') : (site.accent ?? ownRed)
  return (
    <>
      <Check name="accentOwn" label={words.accentOwn} hint={words.accentOwnHint} checked={isOwn} />
      <Field name="accent" label={words.accent} hint={words.accentHint} error={errors.accent}>
        {tied => <input {...tied} type="color" value={accent} data-accent />}
      </Field>
      <div class="accent-sample">
        <p class="faded">{words.sample}</p>
        <span class="button small">{words.sampleButton}</span>
        <p>
          <span class="sample-link">{words.sampleLink}</span>
        </p>
        <span class="badge">{words.sampleBadge}</span>
      </div>
    </>
  )
}

export function TextsForm({
  desk,
  settings,
  lang,
  path
}: {
  desk: Desk
  settings: Settings
  lang: Language
  path: string
}) {
  const { language } = desk
  const { site, etag, errors } = settings
  const words = settingsWords[language]
  const shown = shownIn(desk)
  const written = (['en', 'de'] as const).filter(one =>
    (['tagline', 'about', 'imprint', 'privacy'] as const).some(name => site[name][one] !== '')
  )
  const text = (name: 'about' | 'imprint' | 'privacy', hint: string, maxLength: number) => (
    <Field
      name={`${name}/${lang}`}
      label={words[name]}
      hint={
        <>
          {hint}{' '}
          <a href={pathTo(name, lang)}>
            {words.viewPage}
            <span class="visually-hidden">: {words[name]}</span>
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
      <LanguageTabs desk={desk} path={path} current={lang} written={written} />
      <ErrorSummary title={consoleWords[language].mend} errors={errors} general={settings.general} />
      <Form desk={desk} action={path} class="card">
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="lang" value={lang} />
        <Field
          name={`tagline/${lang}`}
          label={words.tagline}
          hint={words.taglineHint}
          value={shown(`tagline/${lang}`, site.tagline[lang])}
          error={errors[`tagline/${lang}`]}
          lang={lang}
          maxLength={200}
        />
        {text('about', words.aboutHint, 20_000)}
        {text('imprint', words.imprintHint, 50_000)}
        {text('privacy', words.privacyHint, 100_000)}
        <button type="submit">{consoleWords[language].save}</button>
      </Form>
    </>
  )
}
