import type { AccountRequest } from '#fundraising/account-requests/schema.ts'
import type { AccountChange } from '#fundraising/campaigns/account-changes/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getLanguageValues, getOtherLanguage, type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { FieldError, getFieldAttributes } from '../../components/field.tsx'
import type { Image } from '../../server/calendar-api.ts'
import { getCampaignText } from '../../server/campaign-text.ts'
import { canShowImage, ImageField } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { EditorForm } from '../shared/editor.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { AccountPart } from './account-part.tsx'
import { type CampaignInput, campaignFields } from './campaign-fields.ts'
import { getText } from './campaign-input.ts'
import type { CampaignGirocode } from './girocode.ts'

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
  const strings = getMessages('campaign', context.language).form
  const other = saved === undefined ? undefined : getText(saved, getOtherLanguage(language))
  const isOnly = other === undefined
  const written = languages.filter(one => saved !== undefined && getText(saved, one) !== undefined)
  return (
    <section class="card">
      <h2 class="visually-hidden">{strings.text}</h2>
      {saved === undefined || written.includes(language) ? null : (
        <p class="hint">{strings.notWritten(getLanguageValues(language, context.language))}</p>
      )}
      <FormFields
        {...{ context, language, input, errors }}
        strings={strings}
        fields={campaignFields.text}
        other={other === undefined ? undefined : { name: other.name, story: other.description }}
        overrides={{
          name: { required: isOnly },
          story: {
            hint:
              isOnly || !written.includes(language) ? strings.storyHint : `${strings.storyHint} ${strings.removeHint}`
          }
        }}
      />
    </section>
  )
}

function MoneyPart({ context, draft: { input, errors, saved } }: Part) {
  const strings = getMessages('campaign', context.language).form
  return (
    <section class="card">
      <h2>{strings.money}</h2>
      <FormFields
        {...{ context, strings, input, errors }}
        fields={campaignFields.money}
        overrides={{ target: { hint: strings.amountsIn({ currency: saved?.currency ?? context.site.currency }) } }}
      />
    </section>
  )
}

function StatusPart({ context, draft: { input, errors } }: Part) {
  const strings = getMessages('campaign', context.language)
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
  const strings = getMessages('campaign', context.language).form
  return (
    <section class="card">
      <h2>{strings.time}</h2>
      <FormFields {...{ context, strings, input, errors }} fields={campaignFields.time} rowClass="field-row when-row" />
      <p class="hint">{strings.timeHint({ zone: context.site.timezone })}</p>
    </section>
  )
}

function ImagePart({ context, draft: { input, images, image, errors } }: Part) {
  const strings = getMessages('campaign', context.language).form
  return (
    <section class="card">
      <h2>{strings.image}</h2>
      {images === undefined ? null : (
        <ImageField context={context} value={input.image} current={image} images={images} errors={errors} />
      )}
      {errors.imageUrl === undefined && canShowImage(input.imageUrl) ? (
        <img class="image-current" src={input.imageUrl} alt={input.imageAlt} />
      ) : null}
      <FormFields
        {...{ context, strings, input, errors }}
        fields={campaignFields.image}
        overrides={images === undefined ? {} : { imageUrl: { label: strings.imageUrl } }}
      />
      <FormFields {...{ context, strings, input, errors }} fields={campaignFields.decorative} />
    </section>
  )
}

/** The GiroCode that banking apps scan, or the reason why there is none. */
function CodePart({ context, draft: { code, saved, language } }: Part) {
  const strings = getMessages('campaign', context.language).form
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
            alt={strings.codeOf({ name: getCampaignText(saved, language).name })}
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
