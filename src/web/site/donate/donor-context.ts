import type { DonationOfDonor } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import type { SiteSettings } from '../../server/site-settings.ts'

/** Data shared by the parts of a donor's own page. */
export interface DonorContext {
  language: Language
  site: SiteSettings
  token: string
  donation: DonationOfDonor
}

/** True while the money is expected or has been received. */
export function isActive({ status }: DonationOfDonor): boolean {
  return status === 'IN_PROCESS' || status === 'TRANSFERRED'
}
