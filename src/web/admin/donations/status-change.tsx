import type { Donation } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { type DonationDetails, readDonationDetails } from './donation-details.ts'
import { findDayError, getToday } from './donation-money.ts'
import { donationsMenu, getApiPath, getDonationPath, getReturnPath, readOrigin } from './links/paths.ts'
import { findReceiptObstacle, type Obstacle, ObstacleNotice, toObstacle } from './obstacle.tsx'
import { BackToDonation, redirectWithUndo } from './payments.tsx'

/** Status changes that reduce the totals need confirmation. */
type ConfirmedStatus = 'CANCELLED' | 'FAILED'

const paths: Record<ConfirmedStatus, string> = { CANCELLED: 'cancel', FAILED: 'fail' }

export async function askToChangeStatus(context: AdminContext, status: ConfirmedStatus): Promise<AdminPage> {
  return buildPage(context, status, await readDonationDetails(context))
}

export async function changeStatus(context: AdminContext, status: ConfirmedStatus): Promise<AdminPage | Redirect> {
  const shown = await readDonationDetails(context)
  const { donation } = shown
  const goesBack = donation.status === 'TRANSFERRED'
  const day = getFormField(context, 'receivedOn')
  const dayError = goesBack ? findDayError(context, day) : undefined
  if (dayError !== undefined) return buildPage(context, status, shown, { dayError })
  const etag = getFormField(context, 'etag')
  try {
    const made = await context.api.patch<Donation>(
      getApiPath(context),
      { status, ...(goesBack ? { receivedOn: day } : {}) },
      etag === '' ? {} : { 'if-match': etag }
    )
    const strings = getMessages('donation', context.language)
    const amount = formatMoney(context.language, shown.campaign.currency, donation.amount, true)
    context.flash({
      text: strings.movedOne({
        status: strings.statuses[status],
        amount,
        name: donation.donorName ?? strings.anonymous,
        reference: donation.reference ?? ''
      })
    })
    if (made.body.status === donation.status) return redirect(getReturnPath(context, donation), 303)
    return await redirectWithUndo(context, donation, made)
  } catch (error) {
    const now = await readDonationDetails(context)
    const code = error instanceof ApiError && error.status === 412 ? 412 : 409
    return { ...buildPage(context, status, now, { obstacle: toObstacle(context, error, now.donation) }), status: code }
  }
}

function buildPage(
  context: AdminContext,
  status: ConfirmedStatus,
  { donation, campaign, etag }: DonationDetails,
  { obstacle, dayError }: { obstacle?: Obstacle; dayError?: string } = {}
): AdminPage {
  const { language } = context
  const strings = getMessages('payment', language)
  const { title, text, yes } = strings.ask[status]
  const inTheWay = findObstacle(context, donation, status)
  if (inTheWay !== undefined) {
    return {
      title,
      menu: donationsMenu,
      body: (
        <div class="narrow">
          <ObstacleNotice obstacle={obstacle ?? inTheWay} />
          <BackToDonation context={context} donation={donation} />
        </div>
      )
    }
  }
  const goesBack = donation.status === 'TRANSFERRED'
  const sum = formatMoney(language, campaign.currency, goesBack ? donation.amountReceived : donation.amount, true)
  const what = strings.what({
    amount: sum,
    name: donation.donorName ?? getMessages('donation', language).anonymous,
    reference: donation.reference ?? ''
  })
  const page = buildConfirmPage(context, {
    title,
    text: `${text({ what })} ${strings.canUndo}`,
    menu: donationsMenu,
    action: `${getDonationPath(donation)}/${paths[status]}`,
    fields: (
      <>
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="back" value={readOrigin(context)} />
        {goesBack ? <ReturnDateField context={context} error={dayError} /> : null}
      </>
    ),
    yes,
    no: { label: strings.back, href: getReturnPath(context, donation) },
    obstacle: obstacle === undefined ? undefined : <ObstacleNotice obstacle={obstacle} />
  })
  return dayError === undefined ? page : { ...page, status: 422 }
}

/** Date of the refund; defaults to today. */
export function ReturnDateField({ context, error }: { context: AdminContext; error: string | undefined }) {
  const strings = getMessages('payment', context.language)
  const typed = getFormField(context, 'receivedOn')
  return (
    <Field
      name="receivedOn"
      type="date"
      label={strings.backDay}
      hint={strings.backDayHint}
      value={typed === '' ? getToday(context) : typed}
      max={getToday(context)}
      error={error}
      required
    />
  )
}

/** Obstacles known before the confirmation: a receipt, a payment, or a status that allows no change. */
function findObstacle(
  context: AdminContext,
  donation: DonationDetails['donation'],
  status: ConfirmedStatus
): Obstacle | undefined {
  const { language, site } = context
  const strings = getMessages('payment', language)
  if (!(donation.nextStatuses ?? []).includes(status)) {
    return donation.status === 'IN_PROCESS'
      ? { text: strings.hasPayments({ received: formatMoney(language, site.currency, donation.amountReceived, true) }) }
      : { text: strings.isOver({ status: getMessages('donation', language).statuses[donation.status] }) }
  }
  return donation.status === 'TRANSFERRED' ? findReceiptObstacle(context, donation) : undefined
}
