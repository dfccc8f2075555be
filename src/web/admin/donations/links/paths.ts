import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { withQuery } from '../../../server/api-client.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext } from '../../shared/context.ts'
import { getListPath, getListQuery } from '../../shared/list-query.ts'
import type { DonationRef } from './selection.ts'

export const donationsMenu = '/admin/donations'

/** The page of a donation in the console. */
export function getDonationPath({ campaignId, id }: DonationRef): string {
  return `${donationsMenu}/${campaignId}/${id}`
}

/** The donation of the address, as the API knows it. */
export function getApiPath({ params }: AdminContext): string {
  const [campaign = '', donation = ''] = [params.campaign, params.donation]
  return `/campaigns/${encodeURIComponent(campaign)}/donations/${encodeURIComponent(donation)}`
}

/** Where somebody is who starts to change a donation, as its form sends it along: the dashboard, its page, or a list. */
export type Origin = string

export function getListOrigin(context: AdminContext): Origin {
  return getListQuery(context) || 'list'
}

/** Where each status is decided: with an amount and a day, or after a question. */
const steps: Partial<Record<DonationStatus, string>> = {
  TRANSFERRED: 'payment',
  REFUNDED: 'went-back',
  CANCELLED: 'cancel',
  FAILED: 'fail'
}

/** The page on which a donation gets another status; it leads back to where it was opened. */
export function getStepPath(donation: DonationRef, status: DonationStatus, origin: Origin): string {
  return withQuery(`${getDonationPath(donation)}/${steps[status] ?? ''}`, { back: origin })
}

/** What was sent along, from a form or an address. */
export function readOrigin(context: AdminContext): Origin {
  const sent = getFormField(context, 'back')
  return sent === '' ? (context.query.back ?? '') : sent
}

/** The page to go back to: without a word for it, that of the donation. */
export function getReturnPath(context: AdminContext, donation: DonationRef | undefined): string {
  const origin = readOrigin(context)
  if (origin === 'dashboard') return '/admin'
  if (origin.startsWith('?')) return getListPath(donationsMenu, origin)
  return origin === 'list' || donation === undefined ? donationsMenu : getDonationPath(donation)
}
