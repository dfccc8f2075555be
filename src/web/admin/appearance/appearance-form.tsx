import { getLanguageValues, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Site, themes } from '#platform/site/schema.ts'
import { Checkbox, ErrorSummary, Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import { palettes } from '../../server/themes.ts'
import type { AdminContext } from '../shared/context.ts'
import type { FormErrors } from '../shared/editor.tsx'
import { Form } from '../shared/form.tsx'

export interface AppearanceInput {
  theme: string
  accentOwn: string
  accent: string
  logoUrl: string
  heroAlt: Record<Language, string>
  /** One address per line. */
  socialLinks: string
}

interface FormProps extends FormErrors {
  context: AdminContext
  site: Site
  etag: string
  input: AppearanceInput
  action: string
}

const accept = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

export function AppearanceForm(props: FormProps) {
  const { context, etag, input, errors, general, action } = props
  const strings = getMessages('appearance', context.language)
  return (
    <Form context={context} action={action} upload>
      <input type="hidden" name="etag" value={etag} />
      <ErrorSummary title={getMessages('admin', context.language).mend} errors={errors} general={general} />
      <ColourFields {...props} />
      <LogoFields {...props} />
      <HeroFields {...props} />
      <fieldset class="card">
        <legend>{strings.social}</legend>
        <Field name="socialLinks" label={strings.socialLinks} hint={strings.socialLinksHint} error={errors.socialLinks}>
          {tied => (
            <textarea {...tied} rows={4} spellcheck={false} autocomplete="off">
              {input.socialLinks}
            </textarea>
          )}
        </Field>
      </fieldset>
      <div class="form-foot">
        <button type="submit">{getMessages('admin', context.language).save}</button>
      </div>
    </Form>
  )
}

function ColourFields({ context, input, errors }: FormProps) {
  const strings = getMessages('appearance', context.language)
  const tied = getFieldAttributes('theme', false, errors.theme)
  return (
    <fieldset class="card">
      <legend>{strings.colours}</legend>
      <fieldset class="field themes" id={tied.id}>
        <legend>{strings.theme}</legend>
        {themes.map(theme => {
          const { background, accent, accentSoft } = palettes[theme].light
          return (
            <label key={theme} class="theme-choice">
              <input type="radio" name="theme" value={theme} checked={input.theme === theme} data-theme />
              <svg viewBox="0 0 48 24" width="48" height="24" aria-hidden="true">
                <rect width="48" height="24" rx="6" fill={background} />
                <rect width="16" height="24" rx="6" fill={accent} />
                <rect x="20" y="6" width="24" height="12" rx="4" fill={accentSoft} />
              </svg>
              <span>{strings.themes[theme]}</span>
            </label>
          )
        })}
        <FieldError of={tied.id} error={errors.theme} />
      </fieldset>
      <Checkbox
        name="accentOwn"
        label={strings.accentOwn}
        hint={strings.accentOwnHint}
        checked={input.accentOwn !== ''}
      />
      <Field name="accent" label={strings.accent} hint={strings.accentHint} error={errors.accent}>
        {tied => <input {...tied} type="color" value={input.accent || palettes.brick.light.accent} data-accent />}
      </Field>
      <div class="accent-sample">
        <p class="muted">{strings.sample}</p>
        <span class="button small">{strings.sampleButton}</span>
        <p>
          <span class="sample-link">{strings.sampleLink}</span>
        </p>
        <span class="badge">{strings.sampleBadge}</span>
      </div>
    </fieldset>
  )
}

function LogoFields({ context, site, input, errors }: FormProps) {
  const strings = getMessages('appearance', context.language)
  return (
    <fieldset class="card">
      <legend>{strings.logo}</legend>
      {site.logoUrl === null ? null : (
        <>
          <p>
            <img class="logo-current" src={site.logoUrl} alt={strings.logoCurrent} />
          </p>
          <Checkbox name="removeLogo" label={strings.logoRemove} checked={false} />
        </>
      )}
      <Field
        name="logo"
        type="file"
        label={strings.logoUpload}
        hint={strings.logoHint}
        error={errors.logo}
        accept={accept}
      />
      <Field
        name="logoUrl"
        label={strings.logoUrl}
        hint={strings.logoUrlHint}
        error={errors.logoUrl}
        value={input.logoUrl}
        maxLength={2000}
        inputMode="url"
        autocomplete="off"
      />
    </fieldset>
  )
}

function HeroFields({ context, site, input, errors }: FormProps) {
  const strings = getMessages('appearance', context.language)
  return (
    <fieldset class="card">
      <legend>{strings.hero}</legend>
      {site.hero === null ? null : (
        <>
          <img class="image-current" src={site.hero.sizes[0]?.url ?? site.hero.url} alt={strings.heroCurrent} />
          <Checkbox name="removeHero" label={strings.heroRemove} checked={false} />
        </>
      )}
      <Field
        name="hero"
        type="file"
        label={strings.heroUpload}
        hint={strings.heroHint}
        error={errors.hero}
        accept={accept}
      />
      {site.languages.map(language => (
        <Field
          key={language}
          name={`heroAlt-${language}`}
          label={strings.heroAlt(getLanguageValues(language, context.language))}
          hint={strings.heroAltHint}
          error={errors[`heroAlt-${language}`]}
          value={input.heroAlt[language] ?? ''}
          maxLength={1000}
          lang={language}
        />
      ))}
    </fieldset>
  )
}
