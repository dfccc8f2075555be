import type { BulkResult } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Flash } from '../shared/flash.ts'
import { getListPath, perPage } from '../shared/list-query.ts'
import { donationsMenu } from './links/paths.ts'
import { type DonationRef, parseDonationRefs } from './links/selection.ts'

/** A row's button releases that donation, the button below the table all selected ones. */
export async function releaseDonations(context: AdminContext): Promise<Redirect> {
  const one = getFormField(context, 'release')
  const chosen =
    one === 'ticked'
      ? getFormFieldValues(context, 'donations').slice(0, perPage).flatMap(parseDonationRefs)
      : parseDonationRefs(one)
  context.flash(await releaseSelected(context, chosen))
  const [first] = chosen
  const from = getFormField(context, 'page')
  if (from === 'dashboard') return redirect('/admin', 303)
  const path =
    from === 'donation' && first !== undefined ? `${donationsMenu}/${first.campaignId}/${first.id}` : undefined
  return redirect(path ?? getListPath(donationsMenu, getFormField(context, 'back')), 303)
}

async function releaseSelected(context: AdminContext, donations: DonationRef[]): Promise<Flash> {
  const { language, site } = context
  const strings = getMessages('abuse-protection', language).review
  const [first] = donations
  if (first === undefined) return { text: strings.chooseSome, tone: 'bad' }
  const { body } = await context.api.post<BulkResult>('/donations/release', { donations })
  if (body.changed === 0) return { text: strings.notWaiting, tone: 'bad' }
  if (donations.length > 1) return { text: strings.releasedSome({ count: formatNumber(language, body.changed) }) }
  const { body: one } = await context.api.get<DonationWithHistory>(
    `/campaigns/${first.campaignId}/donations/${first.id}`
  )
  const amount = formatMoney(language, site.currency, one.amount, true)
  return {
    text: strings.releasedOne({
      amount,
      name: one.donorName ?? getMessages('donation', language).anonymous,
      reference: one.reference ?? ''
    })
  }
}
