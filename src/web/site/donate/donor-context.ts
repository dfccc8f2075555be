import type { DonationOfDonor } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import type { SiteSettings } from '../../server/site-settings.ts'

/** What the pieces of a donor's own page are made of. */
export interface DonorContext {
  language: Language
  site: SiteSettings
  token: string
  donation: DonationOfDonor
}

/** Whether it can still come to something: the money is on its way or there. */
export function isActive({ status }: DonationOfDonor): boolean {
  return status === 'IN_PROCESS' || status === 'TRANSFERRED'
}
