import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Payment } from '#fundraising/payments/schema.ts'
import { Refused } from '../../api.ts'
import { money, plainDay } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { paymentWords } from '../../text/payments.ts'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { questionPage } from '../question.tsx'
import { donationsMenu, getApiPath, getDonationPath } from './addresses.ts'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { readShown, type Shown } from './shown.ts'

export async function askToRemovePayment(desk: Desk): Promise<ConsolePage> {
  const shown = await readShown(desk)
  return removalPage(desk, shown, findPayment(desk, shown.donation))
}

function findPayment({ params, language }: Desk, { payments = [] }: DonationWithHistory): Payment {
  const payment = payments.find(({ id }) => id === params.payment)
  if (payment === undefined) throw new Refused(404, 'payment-not-found', consoleWords[language].notThere.text, {})
  return payment
}

function removalPage(
  desk: Desk,
  { donation, campaign, etag }: Shown,
  payment: Payment,
  refused?: Obstacle
): ConsolePage {
  const { language } = desk
  const words = paymentWords[language]
  const amount = money(language, campaign.currency, payment.amount, true)
  return questionPage(desk, {
    title: words.removeTitle,
    text: words.removeText(amount, plainDay(language, payment.receivedOn), words.sources[payment.source]),
    menu: donationsMenu,
    action: `${getDonationPath(donation)}/payments/${payment.id}/remove`,
    fields: <input type="hidden" name="etag" value={etag} />,
    yes: words.removeYes,
    no: { label: words.keep, href: getDonationPath(donation) },
    obstacle: refused === undefined ? undefined : <ObstacleNotice obstacle={refused} />
  })
}

export async function removePayment(desk: Desk): Promise<ConsolePage | Redirect> {
  const { language } = desk
  const shown = await readShown(desk)
  const payment = findPayment(desk, shown.donation)
  const etag = field(desk, 'etag')
  try {
    await desk.api.delete(`${getApiPath(desk)}/payments/${payment.id}`, etag === '' ? {} : { 'if-match': etag })
  } catch (error) {
    return removalPage(desk, shown, payment, toObstacle(desk, error, shown.donation))
  }
  const amount = money(language, shown.campaign.currency, payment.amount, true)
  desk.say({ text: paymentWords[language].removed(amount) })
  return redirect(getDonationPath(shown.donation), 303)
}
