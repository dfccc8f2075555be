import { type Language, languages } from '#platform/language.ts'
import type { Site, SiteChanges } from '#platform/site/schema.ts'
import { consoleWords } from '../../text/console.ts'
import { settingsWords } from '../../text/settings.ts'
import { Field, FieldError, tiedTo } from '../../ui/field.tsx'
import { field, fieldValues, type Visit } from '../../visit.ts'

/** What a field shows: what was sent with a form that was refused, else what is saved. */
export type Shown = (name: string, saved: string | null | undefined) => string

export function shownIn(visit: Visit): Shown {
  const wasSent = visit.request.method === 'POST'
  return (name, saved) => (wasSent ? field(visit, name) : (saved ?? ''))
}

/** Fields of the site that the first run and the settings share; `at` is where they stand in what is sent. */
export interface SiteFieldsProps {
  visit: Visit
  site: Site
  errors: Record<string, string>
  at: '' | 'site/'
}

const variables: Record<string, string> = {
  timezone: 'TIMEZONE',
  defaultLanguage: 'DEFAULT_LANGUAGE',
  currency: 'CURRENCY'
}

/** Said where the environment has decided. */
export function fixedHint(language: Language, site: Site, name: string): string | undefined {
  return site.fixed.some(one => one === name) ? settingsWords[language].fixed(variables[name] ?? name) : undefined
}

export function LanguageFields({ visit, site, errors, at }: SiteFieldsProps) {
  const words = settingsWords[visit.language]
  const names = consoleWords[visit.language].languages
  const chosen = visit.request.method === 'POST' ? fieldValues(visit, `${at}languages`) : site.languages
  const fixed = fixedHint(visit.language, site, 'defaultLanguage')
  const tied = tiedTo(`${at}languages`, false, errors[`${at}languages`])
  return (
    <>
      <fieldset class="field" id={tied.id}>
        <legend>{words.languages}</legend>
        <div class="check-row">
          {languages.map(language => (
            <label key={language} class="check">
              <input
                type="checkbox"
                name={`${at}languages[]`}
                value={language}
                checked={chosen.some(one => one === language)}
              />
              <span>{names[language]}</span>
            </label>
          ))}
        </div>
        <p class="hint">{words.languagesHint}</p>
        <FieldError of={tied.id} error={errors[`${at}languages`]} />
      </fieldset>
      <Field
        name={`${at}defaultLanguage`}
        label={words.defaultLanguage}
        hint={fixed ?? words.defaultLanguageHint}
        error={errors[`${at}defaultLanguage`]}
      >
        {tied => (
          <select {...tied} disabled={fixed !== undefined}>
            {languages.map(language => (
              <option
                key={language}
                value={language}
                selected={shownIn(visit)(`${at}defaultLanguage`, site.defaultLanguage) === language}
              >
                {names[language]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

export function ZoneField({ visit, site, errors, at, suggested }: SiteFieldsProps & { suggested?: string }) {
  const words = settingsWords[visit.language]
  const fixed = fixedHint(visit.language, site, 'timezone')
  const name = `${at}timezone`
  const current = shownIn(visit)(name, fixed === undefined ? (suggested ?? site.timezone) : site.timezone)
  const known = [...new Set([...zones, 'UTC', ...(current === '' ? [] : [current])])]
  const regions = grouped(known)
  return (
    <Field name={name} label={words.timezone} error={errors[name]} {...(fixed === undefined ? {} : { hint: fixed })}>
      {tied => (
        <select {...tied} disabled={fixed !== undefined}>
          {[...regions].map(([region, places]) => (
            <optgroup key={region} label={region === '' ? words.timezoneOther : region}>
              {places.map(zone => (
                <option key={zone} value={zone} selected={zone === current}>
                  {zone.replaceAll('_', ' ')}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Europe: Europe/Amsterdam, … */
function grouped(names: string[]): Map<string, string[]> {
  const regions = new Map<string, string[]>()
  for (const name of names) {
    const region = name.includes('/') ? name.slice(0, name.indexOf('/')) : ''
    regions.set(region, [...(regions.get(region) ?? []), name])
  }
  return regions
}

export function AccountFields({ visit, site, errors, at }: SiteFieldsProps) {
  const words = settingsWords[visit.language]
  const shown = shownIn(visit)
  const fieldOf = (part: 'name' | 'iban' | 'nameOfBank') => ({
    name: `${at}account/${part}`,
    value: shown(`${at}account/${part}`, site.account?.[part]),
    error: errors[`${at}account/${part}`]
  })
  return (
    <>
      <Field {...fieldOf('name')} label={words.holder} autocomplete="off" maxLength={140} />
      <div class="field-row">
        <Field
          {...fieldOf('iban')}
          label={words.iban}
          autocomplete="off"
          spellcheck={false}
          maxLength={60}
          data-bank={tiedTo(fieldOf('nameOfBank').name, false, undefined).id}
        />
        <Field
          {...fieldOf('nameOfBank')}
          label={words.nameOfBank}
          hint={words.nameOfBankHint}
          autocomplete="off"
          maxLength={140}
        />
      </div>
    </>
  )
}

/** What these fields say, as the API takes it. What the environment has decided is not sent. */
export function siteIn(visit: Visit, at: SiteFieldsProps['at']): SiteChanges {
  const chosen = fieldValues(visit, `${at}languages`).filter(isLanguage)
  const [defaultLanguage, timezone] = [field(visit, `${at}defaultLanguage`), field(visit, `${at}timezone`)]
  return {
    name: field(visit, `${at}name`),
    languages: chosen,
    ...(isLanguage(defaultLanguage) ? { defaultLanguage } : {}),
    ...(timezone === '' ? {} : { timezone }),
    account: accountIn(visit, at)
  }
}

function isLanguage(text: string): text is Language {
  return languages.some(language => language === text)
}

function accountIn(visit: Visit, at: string): NonNullable<SiteChanges['account']> | null {
  const account = {
    iban: field(visit, `${at}account/iban`),
    name: field(visit, `${at}account/name`),
    nameOfBank: field(visit, `${at}account/nameOfBank`)
  }
  return account.iban === '' && account.name === '' && account.nameOfBank === '' ? null : account
}

/** What the fields are called where something is wrong with them. */
export function siteLabels(language: Language, at: string): Record<string, string> {
  const words = settingsWords[language]
  return {
    [`${at}name`]: words.name,
    [`${at}tagline/en`]: words.taglineIn.en,
    [`${at}tagline/de`]: words.taglineIn.de,
    [`${at}contactEmail`]: words.contactEmail,
    [`${at}languages`]: words.languages,
    [`${at}defaultLanguage`]: words.defaultLanguage,
    [`${at}timezone`]: words.timezone,
    [`${at}currency`]: words.currency,
    [`${at}accent`]: words.accent,
    [`${at}logoUrl`]: words.logoUrl,
    [`${at}account/name`]: words.holder,
    [`${at}account/iban`]: words.iban,
    [`${at}account/nameOfBank`]: words.nameOfBank
  }
}
