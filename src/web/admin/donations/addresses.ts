import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { withQuery } from '../../api.ts'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { backTo, hereIn } from '../list-address.ts'
import type { Chosen } from './chosen.ts'

export const donationsMenu = '/admin/donations'

/** The page of a donation in the console. */
export function getDonationPath({ campaignId, id }: Chosen): string {
  return `${donationsMenu}/${campaignId}/${id}`
}

/** The donation of the address, as the API knows it. */
export function getApiPath({ params }: Desk): string {
  const [campaign = '', donation = ''] = [params.campaign, params.donation]
  return `/campaigns/${encodeURIComponent(campaign)}/donations/${encodeURIComponent(donation)}`
}

/** Where somebody is who starts to change a donation, as its form sends it along: the dashboard, its page, or a list. */
export type Origin = string

export function getListOrigin(desk: Desk): Origin {
  return hereIn(desk) || 'list'
}

/** Where each status is decided: with an amount and a day, or after a question. */
const steps: Partial<Record<DonationStatus, string>> = {
  TRANSFERRED: 'payment',
  REFUNDED: 'went-back',
  CANCELLED: 'cancel',
  FAILED: 'fail'
}

/** The page on which a donation gets another status; it leads back to where it was opened. */
export function getStepPath(donation: Chosen, status: DonationStatus, origin: Origin): string {
  return withQuery(`${getDonationPath(donation)}/${steps[status] ?? ''}`, { back: origin })
}

/** What was sent along, from a form or an address. */
export function readOrigin(desk: Desk): Origin {
  const sent = field(desk, 'back')
  return sent === '' ? (desk.query.back ?? '') : sent
}

/** The page to go back to: without a word for it, that of the donation. */
export function getReturnPath(desk: Desk, donation: Chosen | undefined): string {
  const origin = readOrigin(desk)
  if (origin === 'dashboard') return '/admin'
  if (origin.startsWith('?')) return backTo(donationsMenu, origin)
  return origin === 'list' || donation === undefined ? donationsMenu : getDonationPath(donation)
}
