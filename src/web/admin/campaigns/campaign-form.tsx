import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { AccountChange } from '#fundraising/campaigns/account-changes/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getOtherLanguage, type Language, languages } from '#platform/language.ts'
import { Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import type { Image } from '../../server/calendar-api.ts'
import { getCampaignText } from '../../server/campaign-text.ts'
import { ImageField } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { LineField, LinesField } from '../shared/rich-text-field.tsx'
import { AccountPart } from './account-part.tsx'
import { type CampaignInput, getText } from './campaign-input.ts'
import type { CampaignGirocode } from './girocode.ts'
import { campaignStrings } from './strings.ts'

/** State of the editor besides the saved campaign. */
export interface CampaignDraft {
  language: Language
  etag: string
  input: CampaignInput
  /** Undefined for a new campaign. */
  saved: Campaign | undefined
  /** Uploaded images to choose from; undefined for roles without access to uploads. */
  images: Image[] | undefined
  image: Image | undefined
  code?: CampaignGirocode | undefined
  /** Account changes that wait for a second person. */
  requests?: AccountRequest[] | undefined
  /** Account changes, newest first. */
  accounts?: AccountChange[] | undefined
  /** Whether a second person has to confirm a changed IBAN. */
  needsSecondPerson?: boolean | undefined
  errors: Record<string, string>
  general?: string | undefined
}

export function CampaignForm({ context, draft }: { context: AdminContext; draft: CampaignDraft }) {
  const { language, saved, etag, errors, general } = draft
  const part = { context, draft }
  return (
    <EditorForm
      {...{ context, language, etag, errors, general }}
      menu="/admin/campaigns"
      id={saved?.id}
      upload
      look="money"
    >
      <div class="editor-columns">
        <div class="editor-main">
          <TextPart {...part} />
          <MoneyPart {...part} />
          <AccountPart {...part} />
          <CodePart {...part} />
        </div>
        <div class="editor-side">
          <StatusPart {...part} />
          <TimePart {...part} />
          <ImagePart {...part} />
        </div>
      </div>
    </EditorForm>
  )
}

export type Part = { context: AdminContext; draft: CampaignDraft }

function TextPart({ context, draft: { language, input, saved, errors } }: Part) {
  const strings = campaignStrings[context.language].form
  const other = saved === undefined ? undefined : getText(saved, getOtherLanguage(language))
  const isOnly = other === undefined
  const written = languages.filter(one => saved !== undefined && getText(saved, one) !== undefined)
  return (
    <section class="card">
      <h2 class="visually-hidden">{strings.text}</h2>
      {saved === undefined || written.includes(language) ? null : <p class="hint">{strings.notWritten[language]}</p>}
      <LineField
        context={context}
        language={language}
        name="name"
        label={strings.name}
        value={input.name}
        other={other?.name}
        error={errors.name}
        required={isOnly}
        maxLength={200}
      />
      <LinesField
        context={context}
        language={language}
        name="story"
        label={strings.story}
        hint={isOnly || !written.includes(language) ? strings.storyHint : `${strings.storyHint} ${strings.removeHint}`}
        value={input.story}
        other={other?.description}
        error={errors.story}
      />
    </section>
  )
}

function MoneyPart({ context, draft: { input, errors, saved } }: Part) {
  const strings = campaignStrings[context.language].form
  const currency = saved?.currency ?? context.site.currency
  const amount = { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 } as const
  return (
    <section class="card">
      <h2>{strings.money}</h2>
      <div class="field-row">
        <Field
          name="target"
          label={strings.target}
          hint={strings.amountsIn(currency)}
          value={input.target}
          error={errors.target}
          required
          {...amount}
        />
        <Field
          name="minimum"
          label={strings.minimum}
          hint={strings.minimumHint}
          value={input.minimum}
          error={errors.minimum}
          {...amount}
        />
      </div>
      <Field
        name="presets"
        label={strings.presets}
        hint={strings.presetsHint}
        value={input.presets}
        error={errors.presets}
        autocomplete="off"
        maxLength={200}
      />
    </section>
  )
}

function StatusPart({ context, draft: { input, errors } }: Part) {
  const strings = campaignStrings[context.language]
  const { id } = getFieldAttributes('status', false, errors.status)
  return (
    <section class="card">
      <h2>{strings.form.publication}</h2>
      <fieldset class="field choices" id={id}>
        <legend class="visually-hidden">{strings.form.status}</legend>
        {(['draft', 'open', 'closed'] as const).map(status => (
          <label key={status} class="check">
            <input type="radio" name="status" value={status} checked={input.status === status} />
            <span>
              {strings.statuses[status]} <span class="hint choice-hint">{strings.statusHints[status]}</span>
            </span>
          </label>
        ))}
        <FieldError of={id} error={errors.status} />
      </fieldset>
    </section>
  )
}

function TimePart({ context, draft: { input, errors } }: Part) {
  const strings = campaignStrings[context.language].form
  return (
    <section class="card">
      <h2>{strings.time}</h2>
      {(['start', 'end'] as const).map(which => (
        <div key={which} class="field-row when-row">
          <Field
            name={`${which}Date`}
            type="date"
            label={strings[`${which}Date`]}
            value={input[`${which}Date`]}
            error={errors[`${which}Date`]}
          />
          <Field
            name={`${which}Time`}
            type="time"
            label={strings[`${which}Time`]}
            value={input[`${which}Time`]}
            error={errors[`${which}Time`]}
          />
        </div>
      ))}
      <p class="hint">{strings.timeHint(context.site.timezone)}</p>
    </section>
  )
}

function ImagePart({ context, draft: { input, images, image, errors } }: Part) {
  const strings = campaignStrings[context.language].form
  return (
    <section class="card">
      <h2>{strings.image}</h2>
      {images === undefined ? null : (
        <ImageField context={context} value={input.image} current={image} images={images} errors={errors} />
      )}
      {errors.imageUrl === undefined && /^(?:https?:\/)?\//i.test(input.imageUrl) ? (
        <img class="image-current" src={input.imageUrl} alt={input.imageAlt} />
      ) : null}
      <Field
        name="imageUrl"
        label={images === undefined ? strings.imageUrlOnly : strings.imageUrl}
        hint={strings.imageUrlHint}
        value={input.imageUrl}
        error={errors.imageUrl}
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        maxLength={2000}
      />
      <Field
        name="imageAlt"
        label={strings.imageAlt}
        hint={strings.imageAltHint}
        value={input.imageAlt}
        error={errors.imageAlt}
        maxLength={300}
      />
    </section>
  )
}

/** The GiroCode that banking apps scan, or the reason why there is none. */
function CodePart({ context, draft: { code, saved, language } }: Part) {
  const strings = campaignStrings[context.language].form
  if (code === undefined || saved === undefined) return null
  return (
    <section class="card">
      <h2>{strings.code}</h2>
      {'reason' in code ? (
        <p class="hint">{code.reason}</p>
      ) : (
        <div class="campaign-code">
          <img
            src={code.picture}
            alt={strings.codeOf(getCampaignText(saved, language).name)}
            width={176}
            height={176}
          />
          <div>
            <p class="hint">{strings.codeHint}</p>
            <p>
              {strings.codeReference} <span class="reference">{saved.reference}</span>
            </p>
            <p>
              <a href={code.picture} download={`girocode-${saved.id}.svg`}>
                {strings.codeForPrint}
              </a>
            </p>
            <p>
              <a href={`/campaigns/${saved.id}/qr.png`} download={`girocode-${saved.id}.png`}>
                {strings.codeForScreen}
              </a>
            </p>
          </div>
        </div>
      )}
    </section>
  )
}
