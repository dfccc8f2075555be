import type { Donation, DonationWithHistory } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { money } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { centsIn, exactAmount, toCents } from '../typed-amount.ts'
import { donationsMenu, getApiPath, getDonationPath, getReturnPath, readOrigin } from './addresses.ts'
import { parseVersion } from './chosen.ts'
import { findDayError, getMissingCents } from './donation-money.ts'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { PaymentForm, preparePayment, type Rest, readPayment, type TypedPayment } from './payment-form.tsx'
import { readShown, type Shown } from './shown.ts'
import { type Undoable, withUndo } from './undo.ts'

export interface Refusal {
  errors?: Record<string, string>
  obstacle?: Obstacle
  rest?: Rest
  status?: number
}

/** The small form behind every “Received”: amount and day, filled in. */
export async function showPaymentForm(desk: Desk): Promise<ConsolePage> {
  const shown = await readShown(desk)
  const obstacle = findClosed(desk, shown.donation)
  const typed = preparePayment(desk, shown, readOrigin(desk))
  return paymentPage(desk, shown, typed, obstacle === undefined ? {} : { obstacle })
}

function findClosed({ language }: Desk, { status }: Donation): Obstacle | undefined {
  if (status === 'IN_PROCESS' || status === 'TRANSFERRED') return undefined
  return { text: paymentWords[language].isOver(moneyWords[language].statuses[status]) }
}

export async function recordPayment(desk: Desk): Promise<ConsolePage | Redirect> {
  const shown = await readShown(desk)
  const typed = readPayment(desk)
  const cents = centsIn(typed.amount, desk.language)
  const errors = findErrors(desk, typed, cents)
  if (typeof cents === 'string' || Object.keys(errors).length > 0) return paymentPage(desk, shown, typed, { errors })
  const { donation } = shown
  const [promised, received] = [toCents(donation.amount), toCents(donation.amountReceived)]
  const missingCents = promised - received - cents
  const rest = field(desk, 'rest')
  if (donation.status === 'IN_PROCESS' && missingCents > 0 && rest !== 'wait' && rest !== 'accept') {
    return paymentPage(desk, shown, typed, { rest: { totalCents: received + cents, missingCents } })
  }
  try {
    const made = await desk.api.post<Donation>(
      `${getApiPath(desk)}/payments`,
      {
        amount: exactAmount(cents),
        receivedOn: typed.receivedOn,
        source: typed.how,
        ...(rest === 'accept' ? { accept: true } : {})
      },
      headersFor(typed)
    )
    desk.say({ text: describePayment(desk, shown, made.body, cents) })
    return await leadBack(desk, donation, made)
  } catch (error) {
    return paymentPage(desk, await readShown(desk), typed, refusalFor(desk, error, shown.donation))
  }
}

export function headersFor({ etag, once }: TypedPayment): Record<string, string> {
  return { 'idempotency-key': once, ...(etag === '' ? {} : { 'if-match': etag }) }
}

export function findErrors(desk: Desk, typed: TypedPayment, cents: number | string): Record<string, string> {
  const found: Record<string, string | undefined> = {
    amount: typeof cents === 'string' ? cents : cents === 0 ? moneyWords[desk.language].wrong.amountZero : undefined,
    receivedOn: findDayError(desk, typed.receivedOn)
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** What the API says against it: at its field, or as what is in the way. */
export function refusalFor(desk: Desk, error: unknown, donation: DonationWithHistory): Refusal {
  const words = paymentWords[desk.language]
  if (error instanceof Refused && [400, 422].includes(error.status) && Object.keys(error.fields).length > 0) {
    const { receivedOn, ...others } = error.fields
    const amount = Object.values(others)[0]
    const received = money(desk.language, desk.site.currency, donation.amountReceived, true)
    return {
      errors: {
        ...(receivedOn === undefined ? {} : { receivedOn: moneyWords[desk.language].wrong.dateInFuture }),
        ...(amount === undefined
          ? {}
          : { amount: error.code === 'more-than-received' ? words.backTooMuch(received) : amount })
      }
    }
  }
  const obstacle = toObstacle(desk, error, donation)
  return { obstacle, status: error instanceof Refused && error.status === 412 ? 412 : 409 }
}

/** Received: 40.00 € from Ada (AC-…). Waiting for 60.00 €. */
function describePayment({ language }: Desk, { donation, campaign }: Shown, after: Donation, cents: number): string {
  const words = paymentWords[language]
  const sum = (one: number) => money(language, campaign.currency, one / 100, true)
  const name = donation.donorName ?? moneyWords[language].anonymous
  const missing = getMissingCents(after)
  const rest =
    missing < 0
      ? words.recordedMore(sum(-missing))
      : missing === 0
        ? ''
        : after.status === 'IN_PROCESS'
          ? words.recordedWait(sum(missing))
          : words.recordedLess(sum(toCents(after.amountReceived)), sum(toCents(after.amount)))
  return [words.recorded(sum(cents), name, donation.reference ?? ''), rest].filter(text => text !== '').join(' ')
}

/** Back to where it was opened, with the offer to undo what was done. */
export async function leadBack(
  desk: Desk,
  before: Donation,
  { body: after, etag }: { body: Donation; etag: string }
): Promise<Redirect> {
  const changes = await findUndo(desk, before, after, parseVersion(etag))
  return redirect(withUndo(desk, getReturnPath(desk, before), changes), 303)
}

/** A change of status is undone as such; a payment that changed none is removed, where it is the only one of its kind. */
async function findUndo(
  desk: Desk,
  before: Donation,
  after: Donation,
  version: number | undefined
): Promise<Undoable[]> {
  if (version === undefined) return []
  const { campaignId, id } = before
  if (before.status !== after.status) return [{ campaignId, id, version }]
  const { body, etag } = await desk.api.get<DonationWithHistory>(`/campaigns/${campaignId}/donations/${id}`)
  const newest = body.payments?.at(-1)
  if (newest === undefined || parseVersion(etag) !== version) return []
  const together = (body.payments ?? []).filter(({ recordedAt }) => recordedAt === newest.recordedAt)
  return together.length > 1 ? [] : [{ campaignId, id, version, payment: newest.id }]
}

function paymentPage(
  desk: Desk,
  shown: Shown,
  typed: TypedPayment,
  { errors = {}, obstacle, rest, status }: Refusal
): ConsolePage {
  const { language } = desk
  const words = paymentWords[language]
  const { donation, campaign } = shown
  const sum = (amount: number) => money(language, campaign.currency, amount, true)
  return {
    title: words.recordTitle(donation.reference ?? ''),
    menu: donationsMenu,
    islands: ['console'],
    status: status ?? (Object.keys(errors).length > 0 ? 422 : 200),
    body: (
      <div class="narrow money">
        {obstacle === undefined ? null : <ObstacleNotice obstacle={obstacle} />}
        <ErrorSummary title={consoleWords[language].mend} errors={errors} />
        <p class="lead">
          {words.recordLead(
            donation.donorName ?? moneyWords[language].anonymous,
            sum(donation.amount),
            sum(donation.amountReceived)
          )}
        </p>
        {findClosed(desk, donation) === undefined ? (
          <div class="card">
            <PaymentForm
              desk={desk}
              shown={shown}
              // Whoever was told that somebody else changed it decides about the donation as it is now.
              typed={obstacle === undefined ? typed : { ...typed, etag: shown.etag }}
              errors={errors}
              rest={rest}
              cancel={getReturnPath(desk, donation)}
            />
          </div>
        ) : (
          <BackToDonation desk={desk} donation={donation} />
        )}
      </div>
    )
  }
}

export function BackToDonation({ desk, donation }: { desk: Desk; donation: Donation }) {
  return (
    <p>
      <a class="button quiet" href={getDonationPath(donation)}>
        {paymentWords[desk.language].toDonation}
      </a>
    </p>
  )
}

/** Takes what is there as the whole donation. */
export async function acceptDonation(
  desk: Desk,
  showRefused: (shown: Shown, obstacle: Obstacle) => ConsolePage
): Promise<ConsolePage | Redirect> {
  const { donation, campaign } = await readShown(desk)
  const { language } = desk
  const etag = field(desk, 'etag')
  try {
    const made = await desk.api.patch<Donation>(
      getApiPath(desk),
      { status: 'TRANSFERRED', amountReceived: exactAmount(toCents(donation.amountReceived)) },
      etag === '' ? {} : { 'if-match': etag }
    )
    const sum = (amount: number) => money(language, campaign.currency, amount, true)
    const name = donation.donorName ?? moneyWords[language].anonymous
    desk.say({ text: paymentWords[language].accepted(sum(made.body.amountReceived), sum(donation.amount), name) })
    return await leadBack(desk, donation, made)
  } catch (error) {
    const shown = await readShown(desk)
    return showRefused(shown, toObstacle(desk, error, shown.donation))
  }
}
