import type { AccountChange } from '#fundraising/account-changes/schema.ts'
import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { type Language, languages, otherLanguage } from '#platform/language.ts'
import type { Image } from '../../calendar-api.ts'
import { campaignText } from '../../campaign-text.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { Field, FieldError, tiedTo } from '../../ui/field.tsx'
import type { Desk } from '../console.ts'
import { EditorForm } from '../editor.tsx'
import { ImageField } from '../images/image-field.tsx'
import { LineField, LinesField } from '../rich-field.tsx'
import { AccountPart } from './account-part.tsx'
import type { CampaignCode } from './campaign-code.ts'
import { type CampaignInput, textIn } from './campaign-input.ts'

/** What the editor shows besides the campaign as it is. */
export interface CampaignDraft {
  language: Language
  etag: string
  input: CampaignInput
  /** Undefined for a new one. */
  saved: Campaign | undefined
  /** Uploaded ones to choose from; undefined for those who have nothing to do with uploads. */
  images: Image[] | undefined
  image: Image | undefined
  code?: CampaignCode | undefined
  /** Another account that waits for a second person. */
  requests?: AccountRequest[] | undefined
  /** When its account was changed, newest first. */
  accounts?: AccountChange[] | undefined
  /** Whether a second person has to confirm another IBAN. */
  needsSecondPerson?: boolean | undefined
  errors: Record<string, string>
  general?: string | undefined
}

export function CampaignForm({ desk, draft }: { desk: Desk; draft: CampaignDraft }) {
  const { language, saved, etag, errors, general } = draft
  const part = { desk, draft }
  return (
    <EditorForm
      {...{ desk, language, etag, errors, general }}
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

export type Part = { desk: Desk; draft: CampaignDraft }

function TextPart({ desk, draft: { language, input, saved, errors } }: Part) {
  const words = campaignWords[desk.language].form
  const other = saved === undefined ? undefined : textIn(saved, otherLanguage(language))
  const isOnly = other === undefined
  const written = languages.filter(one => saved !== undefined && textIn(saved, one) !== undefined)
  return (
    <section class="card">
      <h2 class="visually-hidden">{words.text}</h2>
      {saved === undefined || written.includes(language) ? null : <p class="hint">{words.notWritten[language]}</p>}
      <LineField
        desk={desk}
        language={language}
        name="name"
        label={words.name}
        value={input.name}
        other={other?.name}
        error={errors.name}
        required={isOnly}
        maxLength={200}
      />
      <LinesField
        desk={desk}
        language={language}
        name="story"
        label={words.story}
        hint={isOnly || !written.includes(language) ? words.storyHint : `${words.storyHint} ${words.removeHint}`}
        value={input.story}
        other={other?.description}
        error={errors.story}
      />
    </section>
  )
}

function MoneyPart({ desk, draft: { input, errors, saved } }: Part) {
  const words = campaignWords[desk.language].form
  const currency = saved?.currency ?? desk.site.currency
  const amount = { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 } as const
  return (
    <section class="card">
      <h2>{words.money}</h2>
      <div class="field-row">
        <Field
          name="target"
          label={words.target}
          hint={words.amountsIn(currency)}
          value={input.target}
          error={errors.target}
          required
          {...amount}
        />
        <Field
          name="minimum"
          label={words.minimum}
          hint={words.minimumHint}
          value={input.minimum}
          error={errors.minimum}
          {...amount}
        />
      </div>
      <Field
        name="presets"
        label={words.presets}
        hint={words.presetsHint}
        value={input.presets}
        error={errors.presets}
        autocomplete="off"
        maxLength={200}
      />
    </section>
  )
}

function StatusPart({ desk, draft: { input, errors } }: Part) {
  const words = campaignWords[desk.language]
  const { id } = tiedTo('status', false, errors.status)
  return (
    <section class="card">
      <h2>{words.form.publication}</h2>
      <fieldset class="field choices" id={id}>
        <legend class="visually-hidden">{words.form.status}</legend>
        {(['draft', 'open', 'closed'] as const).map(status => (
          <label key={status} class="check">
            <input type="radio" name="status" value={status} checked={input.status === status} />
            <span>
              {words.statuses[status]} <span class="hint choice-hint">{words.statusHints[status]}</span>
            </span>
          </label>
        ))}
        <FieldError of={id} error={errors.status} />
      </fieldset>
    </section>
  )
}

function TimePart({ desk, draft: { input, errors } }: Part) {
  const words = campaignWords[desk.language].form
  return (
    <section class="card">
      <h2>{words.time}</h2>
      {(['start', 'end'] as const).map(which => (
        <div key={which} class="field-row when-row">
          <Field
            name={`${which}Date`}
            type="date"
            label={words[`${which}Date`]}
            value={input[`${which}Date`]}
            error={errors[`${which}Date`]}
          />
          <Field
            name={`${which}Time`}
            type="time"
            label={words[`${which}Time`]}
            value={input[`${which}Time`]}
            error={errors[`${which}Time`]}
          />
        </div>
      ))}
      <p class="hint">{words.timeHint(desk.site.timezone)}</p>
    </section>
  )
}

function ImagePart({ desk, draft: { input, images, image, errors } }: Part) {
  const words = campaignWords[desk.language].form
  return (
    <section class="card">
      <h2>{words.image}</h2>
      {images === undefined ? null : (
        <ImageField desk={desk} value={input.image} current={image} images={images} errors={errors} />
      )}
      {errors.imageUrl === undefined && /^(?:https?:\/)?\//i.test(input.imageUrl) ? (
        <img class="image-current" src={input.imageUrl} alt={input.imageAlt} />
      ) : null}
      <Field
        name="imageUrl"
        label={images === undefined ? words.imageUrlOnly : words.imageUrl}
        hint={words.imageUrlHint}
        value={input.imageUrl}
        error={errors.imageUrl}
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        maxLength={2000}
      />
      <Field
        name="imageAlt"
        label={words.imageAlt}
        hint={words.imageAltHint}
        value={input.imageAlt}
        error={errors.imageAlt}
        maxLength={300}
      />
    </section>
  )
}

/** What banking apps scan; where there is none, why. */
function CodePart({ desk, draft: { code, saved, language } }: Part) {
  const words = campaignWords[desk.language].form
  if (code === undefined || saved === undefined) return null
  return (
    <section class="card">
      <h2>{words.code}</h2>
      {'reason' in code ? (
        <p class="hint">{code.reason}</p>
      ) : (
        <div class="campaign-code">
          <img src={code.picture} alt={words.codeOf(campaignText(saved, language).name)} width={176} height={176} />
          <div>
            <p class="hint">{words.codeHint}</p>
            <p>
              {words.codeReference} <span class="reference">{saved.reference}</span>
            </p>
            <p>
              <a href={code.picture} download={`girocode-${saved.id}.svg`}>
                {words.codeForPrint}
              </a>
            </p>
            <p>
              <a href={`/campaigns/${saved.id}/qr.png`} download={`girocode-${saved.id}.png`}>
                {words.codeForScreen}
              </a>
            </p>
          </div>
        </div>
      )}
    </section>
  )
}
