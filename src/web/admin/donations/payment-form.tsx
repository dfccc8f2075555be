import { randomUUID } from 'node:crypto'
import { money } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { paymentWords } from '../../text/payments.ts'
import { Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { toCents, typedAmount } from '../typed-amount.ts'
import { getDonationPath, type Origin, readOrigin } from './addresses.ts'
import { getMissingCents, getToday } from './donation-money.ts'
import type { Shown } from './shown.ts'

/** A payment as it is typed: money that came, or that went back. */
export interface TypedPayment {
  amount: string
  receivedOn: string
  how: 'manual' | 'cash'
  etag: string
  /** Makes a second click on the button find the payment of the first. */
  once: string
  back: Origin
}

/** What is still missing, received today: the usual case needs one click. */
export function preparePayment(desk: Desk, { donation, etag }: Shown, back: Origin): TypedPayment {
  const missing = getMissingCents(donation)
  return {
    amount: missing > 0 ? typedAmount(missing, desk.language) : '',
    receivedOn: getToday(desk),
    how: donation.account ? 'manual' : 'cash',
    etag,
    once: randomUUID(),
    back
  }
}

/** All of it, gone back today. */
export function prepareReturn(desk: Desk, shown: Shown, back: Origin): TypedPayment {
  const amount = typedAmount(toCents(shown.donation.amountReceived), desk.language)
  return { ...preparePayment(desk, shown, back), amount }
}

export function readPayment(desk: Desk): TypedPayment {
  const once = field(desk, 'once')
  return {
    amount: field(desk, 'amount'),
    receivedOn: field(desk, 'receivedOn'),
    how: field(desk, 'how') === 'cash' ? 'cash' : 'manual',
    etag: field(desk, 'etag'),
    once: /^[0-9a-f-]{36}$/.test(once) ? once : randomUUID(),
    back: readOrigin(desk)
  }
}

/** What came less than promised, so that somebody has to say whether the rest is awaited. */
export interface Rest {
  totalCents: number
  missingCents: number
}

type Props = {
  desk: Desk
  shown: Shown
  typed: TypedPayment
  errors?: Record<string, string>
}

/** Amount, day and how it was paid. On the donation's page it needs no way back. */
export function PaymentForm({
  desk,
  shown,
  typed,
  errors = {},
  rest,
  cancel
}: Props & { rest?: Rest | undefined; cancel?: string }) {
  const { language } = desk
  const words = paymentWords[language]
  const { currency } = shown.campaign
  const sum = (cents: number) => money(language, currency, cents / 100, true)
  return (
    <Form desk={desk} action={`${getDonationPath(shown.donation)}/payment`} class="payment-form">
      <Hidden typed={typed} />
      <AmountAndDay
        desk={desk}
        shown={shown}
        typed={typed}
        errors={errors}
        labels={{ amount: words.amountReceived, day: words.receivedOn, dayHint: words.dayHint }}
      />
      <fieldset class="field">
        <legend>{words.how}</legend>
        <div class="check-row">
          {(['manual', 'cash'] as const).map(how => (
            <label key={how} class="check">
              <input type="radio" name="how" value={how} checked={typed.how === how} />
              <span>{words[how]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {rest === undefined ? (
        <div class="actions">
          <button type="submit">{words.submit}</button>
          <Cancel desk={desk} href={cancel} />
        </div>
      ) : (
        <div class="notice warn" role="alert" tabIndex={-1} id="rest" data-focus autofocus>
          <p>
            <strong>{words.restTitle(sum(rest.totalCents), sum(rest.totalCents + rest.missingCents))}</strong>
          </p>
          <p>{words.restText(sum(rest.missingCents))}</p>
          <div class="actions">
            <button type="submit" name="rest" value="wait">
              {words.restWait(sum(rest.missingCents))}
            </button>
            <button type="submit" name="rest" value="accept" class="quiet">
              {words.restAccept(sum(rest.totalCents))}
            </button>
            <Cancel desk={desk} href={cancel} />
          </div>
        </div>
      )}
    </Form>
  )
}

/** Amount and day of money that went back. */
export function ReturnForm({ desk, shown, typed, errors = {}, cancel }: Props & { cancel: string }) {
  const words = paymentWords[desk.language]
  return (
    <Form desk={desk} action={`${getDonationPath(shown.donation)}/went-back`} class="payment-form card">
      <Hidden typed={typed} />
      <AmountAndDay
        desk={desk}
        shown={shown}
        typed={typed}
        errors={errors}
        labels={{ amount: words.backAmount, day: words.backDay, dayHint: words.backDayHint }}
      />
      <div class="actions">
        <button type="submit" class="danger">
          {words.backSubmit}
        </button>
        <Cancel desk={desk} href={cancel} />
      </div>
    </Form>
  )
}

function Hidden({ typed: { etag, once, back } }: { typed: TypedPayment }) {
  return (
    <>
      <input type="hidden" name="etag" value={etag} />
      <input type="hidden" name="once" value={once} />
      <input type="hidden" name="back" value={back} />
    </>
  )
}

function AmountAndDay({
  desk,
  shown,
  typed,
  errors,
  labels
}: Required<Props> & { labels: { amount: string; day: string; dayHint: string } }) {
  const words = paymentWords[desk.language]
  return (
    <div class="field-row">
      <Field
        name="amount"
        label={labels.amount}
        hint={words.amountHint(shown.campaign.currency)}
        value={typed.amount}
        error={errors.amount}
        inputMode="decimal"
        autocomplete="off"
        maxLength={40}
        required
      />
      <Field
        name="receivedOn"
        type="date"
        label={labels.day}
        hint={labels.dayHint}
        value={typed.receivedOn}
        max={getToday(desk)}
        error={errors.receivedOn}
        required
      />
    </div>
  )
}

function Cancel({ desk, href }: { desk: Desk; href: string | undefined }) {
  return href === undefined ? null : (
    <a class="button quiet" href={href}>
      {consoleWords[desk.language].cancel}
    </a>
  )
}
