import type { OfflineAmount } from '#fundraising/campaigns/offline-amounts/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { MandateTerms } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import { getLocale, getNumberMarks, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { ProofOfWork as Proof } from '#platform/proof-of-work/schema.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { type FormGuard, newFormGuard } from '../../components/form-guard.ts'
import { Honeypot } from '../../components/honeypot.tsx'
import { ProofOfWork } from '../../components/proof-of-work.tsx'
import { UnrestoredInput } from '../../components/unrestored-input.tsx'
import { formatMoney } from '../../format/format.ts'
import { getCampaignPath } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import type { UploadedImages } from '../../server/uploaded-images.ts'
import type { CampaignExtras } from '../campaign/extras.ts'
import {
  type DonationInput,
  emptyDonationInput,
  getMinimumCents,
  getProposedPreset,
  listPresets
} from './donation-input.ts'
import { Payment } from './payment.tsx'

/** Campaign with the organisation's payment options and bot protection. */
export interface Offer {
  campaign: Campaign
  story: CampaignStory
  offline: OfflineAmount[]
  donations: Donation[]
  extras: CampaignExtras
  images: UploadedImages
  /** Set if the organisation can collect direct debits. */
  mandate: MandateTerms | undefined
  proof: Proof
}

/** Form state: input and errors. */
export interface FormState extends FormGuard {
  typed: DonationInput
  errors: Record<string, string>
  /** Error that belongs to no field. */
  general?: string | undefined
}

export function newForm(offer: Offer, { language, now }: Pick<PageContext, 'language' | 'now'>): FormState {
  const proposed = getProposedPreset(listPresets(offer, language))
  return {
    typed: { ...emptyDonationInput, amount: proposed === undefined ? '' : String(proposed.amount) },
    errors: {},
    ...newFormGuard(now)
  }
}

/** The donation form; needs no script. */
export function DonateForm({ context, offer, form }: { context: PageContext; offer: Offer; form: FormState }) {
  const { language } = context
  const { campaign, extras, mandate, proof } = offer
  const { typed, errors, general, key, started } = form
  const strings = getMessages('donate', language).form
  const { news } = getMessages('campaign-page', language)
  return (
    <form
      class="donate-form"
      method="post"
      // The fragment scrolls to the form, where errors are shown.
      action={`${getCampaignPath(campaign, language)}#donate`}
      noValidate
      data-donate={JSON.stringify(buildScriptStrings(campaign, language))}
    >
      <ErrorSummary title={strings.errors} errors={errors} general={general} />
      <Amounts language={language} offer={offer} typed={typed} error={errors.own} />

      <fieldset>
        <legend>{strings.details}</legend>
        <Field
          name="name"
          label={strings.name}
          error={errors.name}
          value={typed.name}
          autocomplete="name"
          required
          maxLength={140}
        />
        <Field
          name="email"
          type="email"
          label={strings.email}
          hint={strings.emailHint}
          error={errors.email}
          value={typed.email}
          autocomplete="email"
          maxLength={254}
        />
        {extras.presentation.sendsNews ? (
          <Checkbox name="news" label={news.label} hint={news.hint} checked={typed.news} />
        ) : null}
      </fieldset>

      <Payment language={language} campaign={campaign} mandate={mandate} form={form} />

      <fieldset class="donate-choices">
        <legend>{strings.choices}</legend>
        <Checkbox name="receipt" label={strings.receipt} hint={strings.receiptHint} checked={typed.receipt} />
        <div class="donate-address">
          <Field
            name="street"
            label={strings.street}
            error={errors.street}
            value={typed.street}
            autocomplete="address-line1"
            maxLength={140}
          />
          <div class="donate-town">
            <Field
              name="postalCode"
              label={strings.postalCode}
              error={errors.postalCode}
              value={typed.postalCode}
              autocomplete="postal-code"
              maxLength={20}
            />
            <Field
              name="city"
              label={strings.city}
              error={errors.city}
              value={typed.city}
              autocomplete="address-level2"
              maxLength={140}
            />
          </div>
        </div>
        <Checkbox name="showName" label={strings.showName} hint={strings.showNameHint} checked={typed.showName} />
        <Field name="message" label={strings.message} hint={strings.messageHint} error={errors.message}>
          {tied => (
            <textarea {...tied} rows={3} maxLength={1000}>
              {typed.message}
            </textarea>
          )}
        </Field>
      </fieldset>

      <p class="hint">
        {strings.dataUse({ organisation: campaign.account.name })}{' '}
        <a href={getPath('privacy', language)} target="_blank" rel="noopener">
          {strings.privacy}
        </a>
      </p>

      <Honeypot language={language} name="website" />
      <ProofOfWork
        context={context}
        proof={proof}
        path="/challenge"
        texts={getMessages('abuse-protection', language).proof}
      />
      <UnrestoredInput name="key" value={key} />
      <UnrestoredInput name="started" value={String(started)} />

      <button type="submit" class="large donate-button">
        {strings.donate}
      </button>
      <p class="hint donate-next if-transfer">{strings.next}</p>
      {mandate === undefined ? null : (
        <p class="hint donate-next if-debit">{strings.debitNext({ days: mandate.preNotificationDays })}</p>
      )}
    </form>
  )
}

function Amounts({
  language,
  offer,
  typed,
  error
}: {
  language: Language
  offer: Offer
  typed: DonationInput
  error: string | undefined
}) {
  const strings = getMessages('donate', language).form
  const { campaign } = offer
  const { currency } = campaign
  const least = getMinimumCents(campaign)
  return (
    <fieldset>
      <legend>{strings.amount}</legend>
      <div class="donate-pills">
        {listPresets(offer, language).map(({ amount, label }) => (
          <label key={amount} class={label === undefined ? 'donate-pill' : 'donate-pill named'}>
            <input type="radio" name="amount" value={String(amount)} checked={String(amount) === typed.amount} />
            <span class="figure">{formatMoney(language, currency, amount)}</span>
            {label === undefined ? null : (
              <span class="donate-label" lang={label.lang} dir="auto">
                {label.text}
              </span>
            )}
          </label>
        ))}
      </div>
      <Field
        name="own"
        label={strings.own({ currency: formatCurrencySign(language, currency) })}
        hint={least === 1 ? strings.anyAmount : strings.least({ amount: formatMoney(language, currency, least / 100) })}
        error={error}
        value={typed.own}
        inputMode="decimal"
        autocomplete="off"
        maxLength={40}
      />
    </fieldset>
  )
}

/** Texts for the island, in the page's language, with placeholders in braces. */
function buildScriptStrings(campaign: Campaign, language: Language) {
  const { form, wrong, ibanValid, ibanOf } = getMessages('donate', language)
  const { currency } = campaign
  const least = getMinimumCents(campaign)
  const { decimalMark } = getNumberMarks(language)
  return {
    locale: getLocale(language),
    decimalMark,
    currency,
    least,
    donate: form.donate,
    donateAmount: form.donateAmount({ amount: '{amount}' }),
    sending: form.sending,
    small: wrong.amountSmall({ amount: formatMoney(language, currency, least / 100) }),
    form: wrong.amountForm({ example: `12${decimalMark}50` }),
    decimals: wrong.amountDecimals,
    large: wrong.amountLarge,
    ambiguous: wrong.amountAmbiguous({ typed: '{typed}', large: '{large}', small: '{small}' }),
    valid: ibanValid,
    bank: ibanOf({ bank: '{bank}' }),
    'iban-form': wrong.ibanForm,
    'iban-country': wrong.ibanCountry({ country: '{country}' }),
    'iban-length': wrong.ibanLength({ country: '{country}', length: '{length}', given: '{given}' }),
    'iban-digits': wrong.ibanDigits
  }
}

function formatCurrencySign(language: Language, currency: string): string {
  return formatMoney(language, currency, 0)
    .replace(/[\d.,\s]/g, '')
    .trim()
}
