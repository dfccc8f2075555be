import { randomBytes } from 'node:crypto'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { MandateTerms } from '#fundraising/direct-debit/mandates/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { ProofOfWork as Proof } from '#fundraising/guard/schema.ts'
import type { Language } from '#platform/language.ts'
import { pathToCampaign } from '../../campaign-text.ts'
import { money } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { donateWords } from '../../text/donate.ts'
import { Check, ErrorSummary, Field } from '../../ui/field.tsx'
import { Honeypot } from '../../ui/honeypot.tsx'
import { ProofOfWork } from '../../ui/proof-of-work.tsx'
import type { Visit } from '../../visit.ts'
import { leastCents, nothingTyped, presetsOf, proposedPreset, type Typed } from './donation-input.ts'
import { Payment } from './payment.tsx'

/** What a campaign and its organisation offer, and what they ask of browsers. */
export interface Offer {
  campaign: Campaign
  donations: Donation[]
  /** Where the organisation can collect donations itself. */
  mandate: MandateTerms | undefined
  proof: Proof
}

/** A form on its way: what was typed, and what is wrong with it. */
export interface FormState {
  typed: Typed
  errors: Record<string, string>
  /** What belongs to no field. */
  general?: string | undefined
  /** Sent along with the donation: the same form cannot donate twice. */
  key: string
  /** When it was first shown, in milliseconds. */
  started: number
}

export function newForm(campaign: Campaign, now: Date): FormState {
  const proposed = proposedPreset(presetsOf(campaign))
  return {
    typed: { ...nothingTyped, amount: proposed === undefined ? '' : String(proposed) },
    errors: {},
    key: newFormKey(),
    started: now.getTime()
  }
}

export function newFormKey(): string {
  return randomBytes(16).toString('base64url')
}

/** Everything it takes to donate, in one form that needs no script. */
export function DonateForm({
  visit,
  offer: { campaign, mandate, proof },
  form
}: {
  visit: Visit
  offer: Offer
  form: FormState
}) {
  const { language, site } = visit
  const { typed, errors, general, key, started } = form
  const words = donateWords[language].form
  return (
    <form
      class="donate-form"
      method="post"
      // What is wrong is said in here, and this is where the browser goes.
      action={`${pathToCampaign(campaign, language)}#donate`}
      noValidate
      data-donate={JSON.stringify(wordsForIsland(campaign, language))}
    >
      <ErrorSummary title={words.errors} errors={errors} general={general} />
      <Amounts language={language} campaign={campaign} typed={typed} error={errors.own} />

      <fieldset>
        <legend>{words.details}</legend>
        <Field
          name="name"
          label={words.name}
          error={errors.name}
          value={typed.name}
          autocomplete="name"
          required
          maxLength={140}
        />
        <Field
          name="email"
          type="email"
          label={words.email}
          hint={words.emailHint}
          error={errors.email}
          value={typed.email}
          autocomplete="email"
          maxLength={254}
        />
      </fieldset>

      <Payment language={language} campaign={campaign} mandate={mandate} form={form} />

      <fieldset class="donate-choices">
        <legend>{words.choices}</legend>
        <Check name="receipt" label={words.receipt} hint={words.receiptHint} checked={typed.receipt} />
        <div class="donate-address">
          <Field
            name="street"
            label={words.street}
            error={errors.street}
            value={typed.street}
            autocomplete="street-address"
            maxLength={140}
          />
          <div class="donate-town">
            <Field
              name="postalCode"
              label={words.postalCode}
              error={errors.postalCode}
              value={typed.postalCode}
              autocomplete="postal-code"
              maxLength={20}
            />
            <Field
              name="city"
              label={words.city}
              error={errors.city}
              value={typed.city}
              autocomplete="address-level2"
              maxLength={140}
            />
          </div>
        </div>
        <Check name="showName" label={words.showName} hint={words.showNameHint} checked={typed.showName} />
        <Field name="message" label={words.message} hint={words.messageHint} error={errors.message}>
          {tied => (
            <textarea {...tied} rows={3} maxLength={1000}>
              {typed.message}
            </textarea>
          )}
        </Field>
      </fieldset>

      <Check
        name="consent"
        label={words.consent(site.name)}
        hint={
          <a href={pathTo('privacy', language)} target="_blank" rel="noopener">
            {words.privacy}
          </a>
        }
        error={errors.consent}
        checked={typed.consent}
        required
      />

      <Honeypot language={language} />
      <ProofOfWork visit={visit} proof={proof} />
      {/* Browsers put back what hidden fields held before a reload, unless told not to. */}
      <input type="hidden" name="key" value={key} autocomplete="off" />
      <input type="hidden" name="started" value={String(started)} autocomplete="off" />

      <button type="submit" class="large donate-button">
        {words.donate}
      </button>
      <p class="hint donate-next if-transfer">{words.next}</p>
      {mandate === undefined ? null : (
        <p class="hint donate-next if-debit">{words.debitNext(mandate.preNotificationDays)}</p>
      )}
    </form>
  )
}

function Amounts({
  language,
  campaign,
  typed,
  error
}: {
  language: Language
  campaign: Campaign
  typed: Typed
  error: string | undefined
}) {
  const words = donateWords[language].form
  const { currency } = campaign
  const least = leastCents(campaign)
  return (
    <fieldset>
      <legend>{words.amount}</legend>
      <div class="donate-pills">
        {presetsOf(campaign).map(preset => (
          <label key={preset} class="donate-pill">
            <input type="radio" name="amount" value={String(preset)} checked={String(preset) === typed.amount} />
            <span class="figure">{money(language, currency, preset)}</span>
          </label>
        ))}
      </div>
      <Field
        name="own"
        label={words.own(currencySign(language, currency))}
        hint={least === 1 ? words.anyAmount : words.least(money(language, currency, least / 100))}
        error={error}
        value={typed.own}
        inputMode="decimal"
        autocomplete="off"
        maxLength={40}
      />
    </fieldset>
  )
}

/** What the script on the page says, in the page's language. What is in braces it fills in. */
function wordsForIsland(campaign: Campaign, language: Language) {
  const { form, wrong, ibanValid, ibanOf } = donateWords[language]
  const { currency } = campaign
  const least = leastCents(campaign)
  return {
    language,
    currency,
    least,
    donate: form.donate,
    donateAmount: form.donateAmount('{amount}'),
    sending: form.sending,
    small: wrong.amountSmall(money(language, currency, least / 100)),
    form: wrong.amountForm(language === 'de' ? '12,50' : '12.50'),
    decimals: wrong.amountDecimals,
    large: wrong.amountLarge,
    ambiguous: wrong.amountAmbiguous('{typed}', '{large}', '{small}'),
    valid: ibanValid,
    bank: ibanOf('{bank}'),
    'iban-form': wrong.ibanForm,
    'iban-country': wrong.ibanCountry('{country}'),
    'iban-length': wrong.ibanLength('{country}', '{length}', '{given}'),
    'iban-digits': wrong.ibanDigits
  }
}

function currencySign(language: Language, currency: string): string {
  return money(language, currency, 0)
    .replace(/[\d.,\s]/g, '')
    .trim()
}
