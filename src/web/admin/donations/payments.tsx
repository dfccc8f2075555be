import type { Donation, DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { formatApiAmount, parseCents, toCents } from '../shared/parse-amount.ts'
import { type DonationDetails, readDonationDetails } from './donation-details.ts'
import { findDayError, getMissingCents } from './donation-money.ts'
import { donationsMenu, getApiPath, getDonationPath, getReturnPath, readOrigin } from './links/paths.ts'
import { parseVersion } from './links/selection.ts'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { PaymentForm, type PaymentInput, parsePayment, preparePayment, type Shortfall } from './payment-form.tsx'
import { type Undoable, withUndo } from './undo.ts'

export interface PaymentErrors {
  errors?: Record<string, string>
  obstacle?: Obstacle
  shortfall?: Shortfall
  status?: number
}

/** Form behind every “Received” button, with amount and date prefilled. */
export async function showPaymentForm(context: AdminContext): Promise<AdminPage> {
  const shown = await readDonationDetails(context)
  const obstacle = findClosedObstacle(context, shown.donation)
  const typed = preparePayment(context, shown, readOrigin(context))
  return buildPage(context, shown, typed, obstacle === undefined ? {} : { obstacle })
}

function findClosedObstacle({ language }: AdminContext, { status }: Donation): Obstacle | undefined {
  if (status === 'IN_PROCESS' || status === 'TRANSFERRED') return undefined
  return {
    text: getMessages('payment', language).isOver({ status: getMessages('donation', language).statuses[status] })
  }
}

export async function recordPayment(context: AdminContext): Promise<AdminPage | Redirect> {
  const shown = await readDonationDetails(context)
  const typed = parsePayment(context)
  const cents = parseCents(typed.amount, context.language)
  const errors = findErrors(context, typed, cents)
  if (typeof cents === 'string' || Object.keys(errors).length > 0) return buildPage(context, shown, typed, { errors })
  const { donation } = shown
  const [promised, received] = [toCents(donation.amount), toCents(donation.amountReceived)]
  const missingCents = promised - received - cents
  const rest = getFormField(context, 'rest')
  if (donation.status === 'IN_PROCESS' && missingCents > 0 && rest !== 'wait' && rest !== 'accept') {
    return buildPage(context, shown, typed, { shortfall: { totalCents: received + cents, missingCents } })
  }
  try {
    const made = await context.api.post<Donation>(
      `${getApiPath(context)}/payments`,
      {
        amount: formatApiAmount(cents),
        receivedOn: typed.receivedOn,
        source: typed.how,
        ...(rest === 'accept' ? { accept: true } : {})
      },
      buildHeaders(typed)
    )
    context.flash({ text: describePayment(context, shown, made.body, cents) })
    return await redirectWithUndo(context, donation, made)
  } catch (error) {
    return buildPage(
      context,
      await readDonationDetails(context),
      typed,
      toPaymentErrors(context, error, shown.donation)
    )
  }
}

export function buildHeaders({ etag, idempotencyKey }: PaymentInput): Record<string, string> {
  return { 'idempotency-key': idempotencyKey, ...(etag === '' ? {} : { 'if-match': etag }) }
}

export function findErrors(context: AdminContext, typed: PaymentInput, cents: number | string): Record<string, string> {
  const found: Record<string, string | undefined> = {
    amount:
      typeof cents === 'string'
        ? cents
        : cents === 0
          ? getMessages('donation', context.language).wrong.amountZero
          : undefined,
    receivedOn: findDayError(context, typed.receivedOn)
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Maps an API error to a field, or to an obstacle. */
export function toPaymentErrors(context: AdminContext, error: unknown, donation: DonationWithHistory): PaymentErrors {
  const strings = getMessages('payment', context.language)
  if (error instanceof ApiError && [400, 422].includes(error.status) && Object.keys(error.fields).length > 0) {
    const { receivedOn, ...others } = error.fields
    const amount = Object.values(others)[0]
    const received = formatMoney(context.language, context.site.currency, donation.amountReceived, true)
    return {
      errors: {
        ...(receivedOn === undefined
          ? {}
          : { receivedOn: getMessages('donation', context.language).wrong.dateInFuture }),
        ...(amount === undefined
          ? {}
          : { amount: error.code === 'more-than-received' ? strings.backTooMuch({ received }) : amount })
      }
    }
  }
  const obstacle = toObstacle(context, error, donation)
  return { obstacle, status: error instanceof ApiError && error.status === 412 ? 412 : 409 }
}

/** Received: 40.00 € from Ada (AC-…). Waiting for 60.00 €. */
function describePayment(
  { language }: AdminContext,
  { donation, campaign }: DonationDetails,
  after: Donation,
  cents: number
): string {
  const strings = getMessages('payment', language)
  const sum = (one: number) => formatMoney(language, campaign.currency, one / 100, true)
  const name = donation.donorName ?? getMessages('donation', language).anonymous
  const missing = getMissingCents(after)
  const rest =
    missing < 0
      ? strings.recordedMore({ more: sum(-missing) })
      : missing === 0
        ? ''
        : after.status === 'IN_PROCESS'
          ? strings.recordedWait({ missing: sum(missing) })
          : strings.recordedLess({ received: sum(toCents(after.amountReceived)), promised: sum(toCents(after.amount)) })
  return [strings.recorded({ amount: sum(cents), name, reference: donation.reference ?? '' }), rest]
    .filter(text => text !== '')
    .join(' ')
}

/** Redirects back to the origin page, with an offer to undo. */
export async function redirectWithUndo(
  context: AdminContext,
  before: Donation,
  { body: after, etag }: { body: Donation; etag: string }
): Promise<Redirect> {
  const changes = await findUndo(context, before, after, parseVersion(etag))
  return redirect(withUndo(context, getReturnPath(context, before), changes), 303)
}

/** Undoes a status change as such; a payment without status change is removed, if it was recorded alone. */
async function findUndo(
  context: AdminContext,
  before: Donation,
  after: Donation,
  version: number | undefined
): Promise<Undoable[]> {
  if (version === undefined) return []
  const { campaignId, id } = before
  if (before.status !== after.status) return [{ campaignId, id, version }]
  const { body, etag } = await context.api.get<DonationWithHistory>(`/campaigns/${campaignId}/donations/${id}`)
  const newest = body.payments?.at(-1)
  if (newest === undefined || parseVersion(etag) !== version) return []
  const together = (body.payments ?? []).filter(({ recordedAt }) => recordedAt === newest.recordedAt)
  return together.length > 1 ? [] : [{ campaignId, id, version, payment: newest.id }]
}

function buildPage(
  context: AdminContext,
  shown: DonationDetails,
  typed: PaymentInput,
  { errors = {}, obstacle, shortfall, status }: PaymentErrors
): AdminPage {
  const { language } = context
  const strings = getMessages('payment', language)
  const { donation, campaign } = shown
  const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
  return {
    title: strings.recordTitle({ reference: donation.reference ?? '' }),
    menu: donationsMenu,
    scripts: ['console'],
    status: status ?? (Object.keys(errors).length > 0 ? 422 : 200),
    body: (
      <div class="narrow money">
        {obstacle === undefined ? null : <ObstacleNotice obstacle={obstacle} />}
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} />
        <p class="lead">
          {strings.recordLead({
            name: donation.donorName ?? getMessages('donation', language).anonymous,
            promised: sum(donation.amount),
            received: sum(donation.amountReceived)
          })}
        </p>
        {findClosedObstacle(context, donation) === undefined ? (
          <div class="card">
            <PaymentForm
              context={context}
              shown={shown}
              // After a conflict, the next submit applies to the current version.
              typed={obstacle === undefined ? typed : { ...typed, etag: shown.etag }}
              errors={errors}
              rest={shortfall}
              cancel={getReturnPath(context, donation)}
            />
          </div>
        ) : (
          <BackToDonation context={context} donation={donation} />
        )}
      </div>
    )
  }
}

export function BackToDonation({ context, donation }: { context: AdminContext; donation: Donation }) {
  return (
    <p>
      <a class="button quiet" href={getDonationPath(donation)}>
        {getMessages('payment', context.language).toDonation}
      </a>
    </p>
  )
}

/** Accepts the amount received so far as the whole donation. */
export async function acceptDonation(
  context: AdminContext,
  showRefused: (shown: DonationDetails, obstacle: Obstacle) => AdminPage
): Promise<AdminPage | Redirect> {
  const { donation, campaign } = await readDonationDetails(context)
  const { language } = context
  const etag = getFormField(context, 'etag')
  try {
    const made = await context.api.patch<Donation>(
      getApiPath(context),
      { status: 'TRANSFERRED', amountReceived: formatApiAmount(toCents(donation.amountReceived)) },
      etag === '' ? {} : { 'if-match': etag }
    )
    const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
    const name = donation.donorName ?? getMessages('donation', language).anonymous
    context.flash({
      text: getMessages('payment', language).accepted({
        received: sum(made.body.amountReceived),
        promised: sum(donation.amount),
        name
      })
    })
    return await redirectWithUndo(context, donation, made)
  } catch (error) {
    const shown = await readDonationDetails(context)
    return showRefused(shown, toObstacle(context, error, shown.donation))
  }
}
