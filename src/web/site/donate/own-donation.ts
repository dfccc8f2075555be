import type { DonationOfDonor } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import type { SiteInfo } from '../../site-info.ts'

/** What the pieces of a donor's own page are made of. */
export interface Own {
  language: Language
  site: SiteInfo
  token: string
  donation: DonationOfDonor
}

/** Whether it can still come to something: the money is on its way or there. */
export function isAlive({ status }: DonationOfDonor): boolean {
  return status === 'IN_PROCESS' || status === 'TRANSFERRED'
}
