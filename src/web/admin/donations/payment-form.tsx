import { randomUUID } from 'node:crypto'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { formatAmountInput, toCents } from '../shared/parse-amount.ts'
import type { DonationDetails } from './donation-details.ts'
import { getMissingCents, getToday } from './donation-money.ts'
import { getDonationPath, type Origin, readOrigin } from './links/paths.ts'

/** A payment or refund, as typed. */
export interface PaymentInput {
  amount: string
  receivedOn: string
  how: 'manual' | 'cash'
  etag: string
  /** A second click on the button finds the payment of the first. */
  idempotencyKey: string
  back: Origin
}

/** Prefills the outstanding amount and today: the usual case needs one click. */
export function preparePayment(context: AdminContext, { donation, etag }: DonationDetails, back: Origin): PaymentInput {
  const missing = getMissingCents(donation)
  return {
    amount: missing > 0 ? formatAmountInput(missing, context.language) : '',
    receivedOn: getToday(context),
    how: donation.account ? 'manual' : 'cash',
    etag,
    idempotencyKey: randomUUID(),
    back
  }
}

/** Prefills the whole amount and today. */
export function prepareReturn(context: AdminContext, shown: DonationDetails, back: Origin): PaymentInput {
  const amount = formatAmountInput(toCents(shown.donation.amountReceived), context.language)
  return { ...preparePayment(context, shown, back), amount }
}

export function parsePayment(context: AdminContext): PaymentInput {
  const idempotencyKey = getFormField(context, 'idempotencyKey')
  return {
    amount: getFormField(context, 'amount'),
    receivedOn: getFormField(context, 'receivedOn'),
    how: getFormField(context, 'how') === 'cash' ? 'cash' : 'manual',
    etag: getFormField(context, 'etag'),
    idempotencyKey: /^[0-9a-f-]{36}$/.test(idempotencyKey) ? idempotencyKey : randomUUID(),
    back: readOrigin(context)
  }
}

/** Payment below the promised amount: the user has to choose whether the rest is still expected. */
export interface Shortfall {
  totalCents: number
  missingCents: number
}

type Props = {
  context: AdminContext
  shown: DonationDetails
  typed: PaymentInput
  errors?: Record<string, string>
}

/** Amount, date and payment method. On the donation's page it needs no cancel link. */
export function PaymentForm({
  context,
  shown,
  typed,
  errors = {},
  rest,
  cancel
}: Props & { rest?: Shortfall | undefined; cancel?: string }) {
  const { language } = context
  const strings = getMessages('payment', language)
  const { currency } = shown.campaign
  const sum = (cents: number) => formatMoney(language, currency, cents / 100, true)
  return (
    <Form context={context} action={`${getDonationPath(shown.donation)}/payment`} class="payment-form">
      <HiddenFields typed={typed} />
      <AmountAndDay
        context={context}
        shown={shown}
        typed={typed}
        errors={errors}
        labels={{ amount: strings.amountReceived, day: strings.receivedOn, dayHint: strings.dayHint }}
      />
      <fieldset class="field">
        <legend>{strings.how}</legend>
        <div class="check-row">
          {(['manual', 'cash'] as const).map(how => (
            <label key={how} class="check">
              <input type="radio" name="how" value={how} checked={typed.how === how} />
              <span>{strings[how]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {rest === undefined ? (
        <div class="actions">
          <button type="submit">{strings.submit}</button>
          <Cancel context={context} href={cancel} />
        </div>
      ) : (
        <div class="notice warn" role="alert" tabIndex={-1} id="rest" data-focus autofocus>
          <p>
            <strong>
              {strings.restTitle({ total: sum(rest.totalCents), promised: sum(rest.totalCents + rest.missingCents) })}
            </strong>
          </p>
          <p>{strings.restText({ missing: sum(rest.missingCents) })}</p>
          <div class="actions">
            <button type="submit" name="rest" value="wait">
              {strings.restWait({ missing: sum(rest.missingCents) })}
            </button>
            <button type="submit" name="rest" value="accept" class="quiet">
              {strings.restAccept({ total: sum(rest.totalCents) })}
            </button>
            <Cancel context={context} href={cancel} />
          </div>
        </div>
      )}
    </Form>
  )
}

/** Amount and date of a refund. */
export function ReturnForm({ context, shown, typed, errors = {}, cancel }: Props & { cancel: string }) {
  const strings = getMessages('payment', context.language)
  return (
    <Form context={context} action={`${getDonationPath(shown.donation)}/went-back`} class="payment-form card">
      <HiddenFields typed={typed} />
      <AmountAndDay
        context={context}
        shown={shown}
        typed={typed}
        errors={errors}
        labels={{ amount: strings.backAmount, day: strings.backDay, dayHint: strings.backDayHint }}
      />
      <div class="actions">
        <button type="submit" class="danger">
          {strings.backSubmit}
        </button>
        <Cancel context={context} href={cancel} />
      </div>
    </Form>
  )
}

function HiddenFields({ typed: { etag, idempotencyKey, back } }: { typed: PaymentInput }) {
  return (
    <>
      <input type="hidden" name="etag" value={etag} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <input type="hidden" name="back" value={back} />
    </>
  )
}

function AmountAndDay({
  context,
  shown,
  typed,
  errors,
  labels
}: Required<Props> & { labels: { amount: string; day: string; dayHint: string } }) {
  const strings = getMessages('payment', context.language)
  return (
    <div class="field-row">
      <Field
        name="amount"
        label={labels.amount}
        hint={strings.amountHint({ currency: shown.campaign.currency })}
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
        max={getToday(context)}
        error={errors.receivedOn}
        required
      />
    </div>
  )
}

function Cancel({ context, href }: { context: AdminContext; href: string | undefined }) {
  return href === undefined ? null : (
    <a class="button quiet" href={href}>
      {getMessages('admin', context.language).cancel}
    </a>
  )
}
