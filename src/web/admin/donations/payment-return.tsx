import type { Donation, DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Payment } from '#fundraising/payments/schema.ts'
import { money } from '../../format.ts'
import type { Redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import type { ConsolePage, Desk } from '../console.ts'
import { centsIn, exactAmount, toCents } from '../typed-amount.ts'
import { donationsMenu, getApiPath, getReturnPath, readOrigin } from './addresses.ts'
import { findReceiptObstacle, type Obstacle, ObstacleNotice } from './obstacle.tsx'
import { prepareReturn, ReturnForm, readPayment, type TypedPayment } from './payment-form.tsx'
import { BackToDonation, findErrors, headersFor, leadBack, type Refusal, refusalFor } from './payments.tsx'
import { readShown, type Shown } from './shown.ts'

/** Before money is recorded as gone back: how much, and when. */
export async function askWhatWentBack(desk: Desk): Promise<ConsolePage> {
  const shown = await readShown(desk)
  const obstacle = findReturnObstacle(desk, shown.donation)
  return returnPage(
    desk,
    shown,
    prepareReturn(desk, shown, readOrigin(desk)),
    obstacle === undefined ? {} : { obstacle }
  )
}

/** Nothing is there that could go back, or a receipt certifies all of it. */
export function findReturnObstacle(desk: Desk, donation: DonationWithHistory): Obstacle | undefined {
  if (donation.amountReceived === 0) return { text: paymentWords[desk.language].none }
  return (donation.payments ?? []).some(isFree) ? undefined : findReceiptObstacle(desk, donation)
}

function isFree({ amount, amountReturned, receiptId }: Payment): boolean {
  return amount > amountReturned && receiptId === null
}

export async function recordReturn(desk: Desk): Promise<ConsolePage | Redirect> {
  const shown = await readShown(desk)
  const { donation, campaign } = shown
  const { language } = desk
  const words = paymentWords[language]
  const typed = readPayment(desk)
  const cents = centsIn(typed.amount, language)
  const sum = (amount: number) => money(language, campaign.currency, amount, true)
  const errors = findErrors(desk, typed, cents)
  if (typeof cents === 'number' && cents > toCents(donation.amountReceived)) {
    errors.amount = words.backTooMuch(sum(donation.amountReceived))
  }
  if (typeof cents === 'string' || Object.keys(errors).length > 0) return returnPage(desk, shown, typed, { errors })
  try {
    const made = await desk.api.post<Donation>(
      `${getApiPath(desk)}/payments`,
      { amount: `-${exactAmount(cents)}`, receivedOn: typed.receivedOn },
      headersFor(typed)
    )
    const name = donation.donorName ?? moneyWords[language].anonymous
    const left = made.body.amountReceived
    desk.say({
      text:
        made.body.status === 'REFUNDED'
          ? words.backDoneAll(sum(cents / 100), name)
          : words.backDone(sum(cents / 100), name, sum(left))
    })
    return await leadBack(desk, donation, made)
  } catch (error) {
    return returnPage(desk, await readShown(desk), typed, refusalFor(desk, error, donation))
  }
}

function returnPage(
  desk: Desk,
  shown: Shown,
  typed: TypedPayment,
  { errors = {}, obstacle, status }: Refusal
): ConsolePage {
  const { language } = desk
  const words = paymentWords[language]
  const { donation, campaign } = shown
  const name = donation.donorName ?? moneyWords[language].anonymous
  return {
    title: words.backTitle(donation.reference ?? ''),
    menu: donationsMenu,
    islands: ['console'],
    status: status ?? (Object.keys(errors).length > 0 ? 422 : 200),
    body: (
      <div class="narrow money">
        {obstacle === undefined ? null : <ObstacleNotice obstacle={obstacle} />}
        <ErrorSummary title={consoleWords[language].mend} errors={errors} />
        <p class="lead">{words.backLead(name, money(language, campaign.currency, donation.amountReceived, true))}</p>
        {findReturnObstacle(desk, donation) === undefined ? (
          <>
            <p>
              {donation.status === 'IN_PROCESS' ? words.backRulePending : words.backRule} {words.canUndo}
            </p>
            <ReturnForm
              desk={desk}
              shown={shown}
              typed={obstacle === undefined ? typed : { ...typed, etag: shown.etag }}
              errors={errors}
              cancel={getReturnPath(desk, donation)}
            />
          </>
        ) : (
          <BackToDonation desk={desk} donation={donation} />
        )}
      </div>
    )
  }
}
