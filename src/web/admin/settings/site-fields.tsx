import { formatLanguageName, type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Site, SiteChanges } from '#platform/site/schema.ts'
import { Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import { getFormField, getFormFieldValues, type PageContext } from '../../server/context.ts'

/** Value of a field: the submitted one if the form was refused, else the saved one. */
export type FieldReader = (name: string, saved: string | null | undefined) => string

export function newFieldReader(context: PageContext): FieldReader {
  const wasSent = context.request.method === 'POST'
  return (name, saved) => (wasSent ? getFormField(context, name) : (saved ?? ''))
}

/** Site fields shared by first run and settings; `at` is the path prefix of their names. */
export interface SiteFieldsProps {
  context: PageContext
  site: Site
  errors: Record<string, string>
  at: '' | 'site/'
}

const variables: Record<string, string> = {
  timezone: 'TIMEZONE',
  defaultLanguage: 'DEFAULT_LANGUAGE',
  currency: 'CURRENCY'
}

/** Hint for settings that an environment variable fixes. */
export function getFixedHint(language: Language, site: Site, name: string): string | undefined {
  return site.fixed.some(one => one === name)
    ? getMessages('settings', language).fixed({ variable: variables[name] ?? name })
    : undefined
}

export function LanguageFields({ context, site, errors, at }: SiteFieldsProps) {
  const strings = getMessages('settings', context.language)
  const chosen = context.request.method === 'POST' ? getFormFieldValues(context, `${at}languages`) : site.languages
  const fixed = getFixedHint(context.language, site, 'defaultLanguage')
  const tied = getFieldAttributes(`${at}languages`, false, errors[`${at}languages`])
  return (
    <>
      <fieldset class="field" id={tied.id}>
        <legend>{strings.languages}</legend>
        <div class="check-row">
          {languages.map(language => (
            <label key={language} class="check">
              <input
                type="checkbox"
                name={`${at}languages[]`}
                value={language}
                checked={chosen.some(one => one === language)}
              />
              <span>{formatLanguageName(language, context.language)}</span>
            </label>
          ))}
        </div>
        <p class="hint">{strings.languagesHint}</p>
        <FieldError of={tied.id} error={errors[`${at}languages`]} />
      </fieldset>
      <Field
        name={`${at}defaultLanguage`}
        label={strings.defaultLanguage}
        hint={fixed ?? strings.defaultLanguageHint}
        error={errors[`${at}defaultLanguage`]}
      >
        {tied => (
          <select {...tied} disabled={fixed !== undefined}>
            {languages.map(language => (
              <option
                key={language}
                value={language}
                selected={newFieldReader(context)(`${at}defaultLanguage`, site.defaultLanguage) === language}
              >
                {formatLanguageName(language, context.language)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

export function ZoneField({ context, site, errors, at, suggested }: SiteFieldsProps & { suggested?: string }) {
  const strings = getMessages('settings', context.language)
  const fixed = getFixedHint(context.language, site, 'timezone')
  const name = `${at}timezone`
  const current = newFieldReader(context)(name, fixed === undefined ? (suggested ?? site.timezone) : site.timezone)
  const known = [...new Set([...zones, 'UTC', ...(current === '' ? [] : [current])])]
  const regions = groupByRegion(known)
  return (
    <Field name={name} label={strings.timezone} error={errors[name]} {...(fixed === undefined ? {} : { hint: fixed })}>
      {tied => (
        <select {...tied} disabled={fixed !== undefined}>
          {[...regions].map(([region, places]) => (
            <optgroup key={region} label={region === '' ? strings.timezoneOther : region}>
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
function groupByRegion(names: string[]): Map<string, string[]> {
  const regions = new Map<string, string[]>()
  for (const name of names) {
    const region = name.includes('/') ? name.slice(0, name.indexOf('/')) : ''
    regions.set(region, [...(regions.get(region) ?? []), name])
  }
  return regions
}

export function AccountFields({ context, site, errors, at }: SiteFieldsProps) {
  const strings = getMessages('settings', context.language)
  const shown = newFieldReader(context)
  const fieldOf = (part: 'name' | 'iban' | 'nameOfBank') => ({
    name: `${at}account/${part}`,
    value: shown(`${at}account/${part}`, site.account?.[part]),
    error: errors[`${at}account/${part}`]
  })
  return (
    <>
      <Field {...fieldOf('name')} label={strings.holder} autocomplete="off" maxLength={140} />
      <div class="field-row">
        <Field
          {...fieldOf('iban')}
          label={strings.iban}
          autocomplete="off"
          spellcheck={false}
          maxLength={60}
          data-bank={getFieldAttributes(fieldOf('nameOfBank').name, false, undefined).id}
        />
        <Field
          {...fieldOf('nameOfBank')}
          label={strings.nameOfBank}
          hint={strings.nameOfBankHint}
          autocomplete="off"
          maxLength={140}
        />
      </div>
    </>
  )
}

/** Parses the fields into the API's body, without settings that an environment variable fixes. */
export function parseSite(context: PageContext, at: SiteFieldsProps['at']): SiteChanges {
  const chosen = getFormFieldValues(context, `${at}languages`).filter(isLanguage)
  const [defaultLanguage, timezone] = [
    getFormField(context, `${at}defaultLanguage`),
    getFormField(context, `${at}timezone`)
  ]
  return {
    name: getFormField(context, `${at}name`),
    languages: chosen,
    ...(isLanguage(defaultLanguage) ? { defaultLanguage } : {}),
    ...(timezone === '' ? {} : { timezone }),
    account: parseAccount(context, at)
  }
}

function isLanguage(text: string): text is Language {
  return languages.some(language => language === text)
}

function parseAccount(context: PageContext, at: string): NonNullable<SiteChanges['account']> | null {
  const account = {
    iban: getFormField(context, `${at}account/iban`),
    name: getFormField(context, `${at}account/name`),
    nameOfBank: getFormField(context, `${at}account/nameOfBank`)
  }
  return account.iban === '' && account.name === '' && account.nameOfBank === '' ? null : account
}

/** Labels of the fields, for error messages. */
export function getSiteLabels(language: Language, at: string): Record<string, string> {
  const strings = getMessages('settings', language)
  return {
    [`${at}name`]: strings.name,
    [`${at}tagline/en`]: strings.taglineEn,
    [`${at}tagline/de`]: strings.taglineDe,
    [`${at}languages`]: strings.languages,
    [`${at}defaultLanguage`]: strings.defaultLanguage,
    [`${at}timezone`]: strings.timezone,
    [`${at}account/name`]: strings.holder,
    [`${at}account/iban`]: strings.iban,
    [`${at}account/nameOfBank`]: strings.nameOfBank
  }
}
