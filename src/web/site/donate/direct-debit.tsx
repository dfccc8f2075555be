import type { MandateTerms } from '#fundraising/direct-debit/mandates/schema.ts'
import type { Language } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { money, plainDay } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { donateWords } from '../../text/donate.ts'
import { donorWords } from '../../text/donor.ts'
import { Check } from '../../ui/field.tsx'
import type { Visit } from '../../visit.ts'
import type { Typed } from './donation-input.ts'
import type { Own } from './own-donation.ts'

/** What an organisation that collects by direct debit asks donors to agree to; others ask nothing. */
export async function mandateIfAny({ api }: Visit): Promise<MandateTerms | undefined> {
  try {
    return (await api.get<MandateTerms>('/mandate')).body
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** The choice in the form of a donation. */
export function Ways({ language, typed }: { language: Language; typed: Typed }) {
  const words = donateWords[language].form
  return (
    <div class="donate-ways">
      <label class="donate-way">
        <input type="radio" name="payment" value="transfer" checked={!typed.isDebit} />
        <span>{words.transfer}</span>
      </label>
      <label class="donate-way">
        <input type="radio" id="field-payment-debit" name="payment" value="direct_debit" checked={typed.isDebit} />
        <span>{words.directDebit}</span>
      </label>
    </div>
  )
}

/** What a donor agrees to who lets us collect it: shown in full, and never ticked in advance. */
export function Mandate({
  language,
  terms,
  typed,
  error
}: {
  language: Language
  terms: MandateTerms
  typed: Typed
  error: string | undefined
}) {
  const text = terms.texts[language]
  return (
    <div class="donate-mandate if-debit">
      <MandateText text={text} />
      {/* Sent along, so that what is kept is what was read. */}
      <input type="hidden" name="mandateText" value={text} autocomplete="off" />
      <Check
        name="mandate"
        label={donateWords[language].form.mandate}
        error={error}
        checked={typed.mandate && typed.mandateText === text}
      />
    </div>
  )
}

/** The first line is its title. */
function MandateText({ text }: { text: string }) {
  const [title, ...lines] = text.split('\n')
  return (
    <div class="mandate-text">
      <p>
        <strong>{title}</strong>
      </p>
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  )
}

/** What a donor needs to know of a debit that is to come. */
export function DonorsDebit({ own }: { own: Own }) {
  const { language, donation } = own
  const words = donorWords[language]
  const amount = money(language, donation.campaign.currency, donation.amount, true)
  const day = donation.collectedOn === null ? undefined : plainDay(language, donation.collectedOn)
  const facts: [string, string | null][] = [
    [words.mandateReference, donation.mandateReference],
    [words.creditorId, donation.creditorId]
  ]
  return (
    <section class="card thanks-transfer" aria-labelledby="thanks-debit">
      <h2 id="thanks-debit">{day === undefined ? words.debitTitle(amount) : words.debitTitleOn(amount, day)}</h2>
      <p>{day === undefined ? words.debitLead : words.debitLeadOn}</p>
      <dl class="transfer">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label} class="transfer-row">
              <dt>{label}</dt>
              <dd>
                <span class="figure">{value}</span>
              </dd>
            </div>
          )
        )}
      </dl>
      {donation.mandateText === null ? null : (
        <details class="thanks-mandate no-print">
          <summary>{words.mandateText}</summary>
          <MandateText text={donation.mandateText} />
          {day === undefined ? <Revocation own={own} /> : null}
        </details>
      )}
    </section>
  )
}

/** Until the debit is on its way a donor can change their mind. */
function Revocation({ own: { language, token } }: { own: Own }) {
  const words = donorWords[language]
  return (
    <form method="post" action={pathTo('thanks', language, token)}>
      <input type="hidden" name="revoke" value="yes" />
      <p>{words.revokeLead}</p>
      <button type="submit" class="quiet">
        {words.revoke}
      </button>
    </form>
  )
}
