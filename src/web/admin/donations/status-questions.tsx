import type { Donation } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { money } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { questionPage } from '../question.tsx'
import { donationsMenu, getApiPath, getDonationPath, getReturnPath, readOrigin } from './addresses.ts'
import { findDayError, getToday } from './donation-money.ts'
import { findReceiptObstacle, type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { BackToDonation, leadBack } from './payments.tsx'
import { readShown, type Shown } from './shown.ts'

/** What takes a donation out of the sums is asked about first. */
type Asked = 'CANCELLED' | 'FAILED'

const paths: Record<Asked, string> = { CANCELLED: 'cancel', FAILED: 'fail' }

export async function askToMove(desk: Desk, status: Asked): Promise<ConsolePage> {
  return movePage(desk, status, await readShown(desk))
}

export async function moveDonation(desk: Desk, status: Asked): Promise<ConsolePage | Redirect> {
  const shown = await readShown(desk)
  const { donation } = shown
  const goesBack = donation.status === 'TRANSFERRED'
  const day = field(desk, 'receivedOn')
  const dayError = goesBack ? findDayError(desk, day) : undefined
  if (dayError !== undefined) return movePage(desk, status, shown, { dayError })
  const etag = field(desk, 'etag')
  try {
    const made = await desk.api.patch<Donation>(
      getApiPath(desk),
      { status, ...(goesBack ? { receivedOn: day } : {}) },
      etag === '' ? {} : { 'if-match': etag }
    )
    const words = moneyWords[desk.language]
    const amount = money(desk.language, shown.campaign.currency, donation.amount, true)
    desk.say({
      text: words.movedOne(
        words.statuses[status],
        amount,
        donation.donorName ?? words.anonymous,
        donation.reference ?? ''
      )
    })
    if (made.body.status === donation.status) return redirect(getReturnPath(desk, donation), 303)
    return await leadBack(desk, donation, made)
  } catch (error) {
    const now = await readShown(desk)
    const code = error instanceof Refused && error.status === 412 ? 412 : 409
    return { ...movePage(desk, status, now, { obstacle: toObstacle(desk, error, now.donation) }), status: code }
  }
}

function movePage(
  desk: Desk,
  status: Asked,
  { donation, campaign, etag }: Shown,
  { obstacle, dayError }: { obstacle?: Obstacle; dayError?: string } = {}
): ConsolePage {
  const { language } = desk
  const words = paymentWords[language]
  const { title, text, yes } = words.ask[status]
  const inTheWay = findInTheWay(desk, donation, status)
  if (inTheWay !== undefined) {
    return {
      title,
      menu: donationsMenu,
      body: (
        <div class="narrow">
          <ObstacleNotice obstacle={obstacle ?? inTheWay} />
          <BackToDonation desk={desk} donation={donation} />
        </div>
      )
    }
  }
  const goesBack = donation.status === 'TRANSFERRED'
  const sum = money(language, campaign.currency, goesBack ? donation.amountReceived : donation.amount, true)
  const what = words.what(sum, donation.donorName ?? moneyWords[language].anonymous, donation.reference ?? '')
  const page = questionPage(desk, {
    title,
    text: `${text(what)} ${words.canUndo}`,
    menu: donationsMenu,
    action: `${getDonationPath(donation)}/${paths[status]}`,
    fields: (
      <>
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="back" value={readOrigin(desk)} />
        {goesBack ? <WentBackOn desk={desk} error={dayError} /> : null}
      </>
    ),
    yes,
    no: { label: words.back, href: getReturnPath(desk, donation) },
    obstacle: obstacle === undefined ? undefined : <ObstacleNotice obstacle={obstacle} />
  })
  return dayError === undefined ? page : { ...page, status: 422 }
}

/** The day on which the money went back; today where nothing was typed. */
export function WentBackOn({ desk, error }: { desk: Desk; error: string | undefined }) {
  const words = paymentWords[desk.language]
  const typed = field(desk, 'receivedOn')
  return (
    <Field
      name="receivedOn"
      type="date"
      label={words.backDay}
      hint={words.backDayHint}
      value={typed === '' ? getToday(desk) : typed}
      max={getToday(desk)}
      error={error}
      required
    />
  )
}

/** What can be known before anybody answers: a receipt, money that is there, or a status that leads nowhere. */
function findInTheWay(desk: Desk, donation: Shown['donation'], status: Asked): Obstacle | undefined {
  const { language, site } = desk
  const words = paymentWords[language]
  if (!(donation.nextStatuses ?? []).includes(status)) {
    return donation.status === 'IN_PROCESS'
      ? { text: words.hasPayments(money(language, site.currency, donation.amountReceived, true)) }
      : { text: words.isOver(moneyWords[language].statuses[donation.status]) }
  }
  return donation.status === 'TRANSFERRED' ? findReceiptObstacle(desk, donation) : undefined
}
