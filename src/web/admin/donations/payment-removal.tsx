import type { Payment } from '#fundraising/donations/payments/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { type DonationDetails, readDonationDetails } from './donation-details.ts'
import { donationsMenu, getApiPath, getDonationPath } from './links/paths.ts'
import { type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'

export async function askToRemovePayment(context: AdminContext): Promise<AdminPage> {
  const shown = await readDonationDetails(context)
  return buildPage(context, shown, findPayment(context, shown.donation))
}

function findPayment({ params, language }: AdminContext, { payments = [] }: DonationWithHistory): Payment {
  const payment = payments.find(({ id }) => id === params.payment)
  if (payment === undefined) throw new ApiError(404, 'payment-not-found', getMessages('admin', language).notThere.text)
  return payment
}

function buildPage(
  context: AdminContext,
  { donation, campaign, etag }: DonationDetails,
  payment: Payment,
  refused?: Obstacle
): AdminPage {
  const { language } = context
  const strings = getMessages('payment', language)
  const amount = formatMoney(language, campaign.currency, payment.amount, true)
  return buildConfirmPage(context, {
    title: strings.removeTitle,
    text: strings.removeText({
      amount,
      day: formatDay(language, payment.receivedOn),
      source: strings.sources[payment.source]
    }),
    menu: donationsMenu,
    action: `${getDonationPath(donation)}/payments/${payment.id}/remove`,
    fields: <input type="hidden" name="etag" value={etag} />,
    yes: strings.removeYes,
    no: { label: strings.keep, href: getDonationPath(donation) },
    obstacle: refused === undefined ? undefined : <ObstacleNotice obstacle={refused} />
  })
}

export async function removePayment(context: AdminContext): Promise<AdminPage | Redirect> {
  const { language } = context
  const shown = await readDonationDetails(context)
  const payment = findPayment(context, shown.donation)
  const etag = getFormField(context, 'etag')
  try {
    await context.api.delete(`${getApiPath(context)}/payments/${payment.id}`, etag === '' ? {} : { 'if-match': etag })
  } catch (error) {
    return buildPage(context, shown, payment, toObstacle(context, error, shown.donation))
  }
  const amount = formatMoney(language, shown.campaign.currency, payment.amount, true)
  context.flash({ text: getMessages('payment', language).removed({ amount }) })
  return redirect(getDonationPath(shown.donation), 303)
}
