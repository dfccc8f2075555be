import type { Payment } from '#fundraising/donations/payments/schema.ts'
import type { Donation, DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import type { Redirect } from '../../page/page.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { formatApiAmount, parseCents, toCents } from '../shared/parse-amount.ts'
import { type DonationDetails, readDonationDetails } from './donation-details.ts'
import { donationsMenu, getApiPath, getReturnPath, readOrigin } from './links/paths.ts'
import { findReceiptObstacle, type Obstacle, ObstacleNotice } from './obstacle.tsx'
import { type PaymentInput, parsePayment, prepareReturn, ReturnForm } from './payment-form.tsx'
import {
  BackToDonation,
  buildHeaders,
  findErrors,
  type PaymentErrors,
  redirectWithUndo,
  toPaymentErrors
} from './payments.tsx'

/** Asks for amount and date before a refund is recorded. */
export async function showReturnForm(context: AdminContext): Promise<AdminPage> {
  const shown = await readDonationDetails(context)
  const obstacle = findReturnObstacle(context, shown.donation)
  return buildPage(
    context,
    shown,
    prepareReturn(context, shown, readOrigin(context)),
    obstacle === undefined ? {} : { obstacle }
  )
}

/** No payment can be returned, or a receipt certifies all of them. */
export function findReturnObstacle(context: AdminContext, donation: DonationWithHistory): Obstacle | undefined {
  if (donation.amountReceived === 0) return { text: getMessages('payment', context.language).none }
  return (donation.payments ?? []).some(isReturnable) ? undefined : findReceiptObstacle(context, donation)
}

function isReturnable({ amount, amountReturned, receiptId }: Payment): boolean {
  return amount > amountReturned && receiptId === null
}

export async function recordReturn(context: AdminContext): Promise<AdminPage | Redirect> {
  const shown = await readDonationDetails(context)
  const { donation, campaign } = shown
  const { language } = context
  const strings = getMessages('payment', language)
  const typed = parsePayment(context)
  const cents = parseCents(typed.amount, language)
  const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
  const errors = findErrors(context, typed, cents)
  if (typeof cents === 'number' && cents > toCents(donation.amountReceived)) {
    errors.amount = strings.backTooMuch({ received: sum(donation.amountReceived) })
  }
  if (typeof cents === 'string' || Object.keys(errors).length > 0) return buildPage(context, shown, typed, { errors })
  try {
    const made = await context.api.post<Donation>(
      `${getApiPath(context)}/payments`,
      { amount: `-${formatApiAmount(cents)}`, receivedOn: typed.receivedOn },
      buildHeaders(typed)
    )
    const name = donation.donorName ?? getMessages('donation', language).anonymous
    const left = made.body.amountReceived
    context.flash({
      text:
        made.body.status === 'REFUNDED'
          ? strings.backDoneAll({ amount: sum(cents / 100), name })
          : strings.backDone({ amount: sum(cents / 100), name, left: sum(left) })
    })
    return await redirectWithUndo(context, donation, made)
  } catch (error) {
    return buildPage(context, await readDonationDetails(context), typed, toPaymentErrors(context, error, donation))
  }
}

function buildPage(
  context: AdminContext,
  shown: DonationDetails,
  typed: PaymentInput,
  { errors = {}, obstacle, status }: PaymentErrors
): AdminPage {
  const { language } = context
  const strings = getMessages('payment', language)
  const { donation, campaign } = shown
  const name = donation.donorName ?? getMessages('donation', language).anonymous
  return {
    title: strings.backTitle({ reference: donation.reference ?? '' }),
    menu: donationsMenu,
    scripts: ['console'],
    status: status ?? (Object.keys(errors).length > 0 ? 422 : 200),
    body: (
      <div class="narrow money">
        {obstacle === undefined ? null : <ObstacleNotice obstacle={obstacle} />}
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} />
        <p class="lead">
          {strings.backLead({
            name,
            received: formatMoney(language, campaign.currency, donation.amountReceived, true)
          })}
        </p>
        {findReturnObstacle(context, donation) === undefined ? (
          <>
            <p>
              {donation.status === 'IN_PROCESS' ? strings.backRulePending : strings.backRule} {strings.canUndo}
            </p>
            <ReturnForm
              context={context}
              shown={shown}
              typed={obstacle === undefined ? typed : { ...typed, etag: shown.etag }}
              errors={errors}
              cancel={getReturnPath(context, donation)}
            />
          </>
        ) : (
          <BackToDonation context={context} donation={donation} />
        )}
      </div>
    )
  }
}
