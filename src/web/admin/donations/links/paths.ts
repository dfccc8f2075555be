import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { withQuery } from '../../../server/api-client.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext } from '../../shared/context.ts'
import { getListPath, getListQuery } from '../../shared/list-query.ts'
import type { DonationRef } from './selection.ts'

export const donationsMenu = '/admin/donations'

export function getDonationPath({ campaignId, id }: DonationRef): string {
  return `${donationsMenu}/${campaignId}/${id}`
}

/** API path of the donation that the URL names. */
export function getApiPath({ params }: AdminContext): string {
  const [campaign = '', donation = ''] = [params.campaign, params.donation]
  return `/campaigns/${encodeURIComponent(campaign)}/donations/${encodeURIComponent(donation)}`
}

/** Page from which a donation is changed (dashboard, its own page, or a list); its form sends it along. */
export type Origin = string

export function getListOrigin(context: AdminContext): Origin {
  return getListQuery(context) || 'list'
}

/** Page for each status change: with amount and date, or with a confirmation. */
const steps: Partial<Record<DonationStatus, string>> = {
  TRANSFERRED: 'payment',
  REFUNDED: 'went-back',
  CANCELLED: 'cancel',
  FAILED: 'fail'
}

/** Page that changes the status of a donation; it leads back to where it was opened. */
export function getStepPath(donation: DonationRef, status: DonationStatus, origin: Origin): string {
  return withQuery(`${getDonationPath(donation)}/${steps[status] ?? ''}`, { back: origin })
}

/** Reads it from the form or the query. */
export function readOrigin(context: AdminContext): Origin {
  const sent = getFormField(context, 'back')
  return sent === '' ? (context.query.back ?? '') : sent
}

/** Page to return to; defaults to the donation's page. */
export function getReturnPath(context: AdminContext, donation: DonationRef | undefined): string {
  const origin = readOrigin(context)
  if (origin === 'dashboard') return '/admin'
  if (origin.startsWith('?')) return getListPath(donationsMenu, origin)
  return origin === 'list' || donation === undefined ? donationsMenu : getDonationPath(donation)
}
