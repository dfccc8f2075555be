import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { postMail } from '#platform/mail/letter.ts'
import type { DonationRow } from '../donations/queries.ts'

/** Tells donors how to pay, or that their money has come, where they said how to reach them: each once, whatever is corrected later. */
export async function confirm(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  donation: Pick<DonationRow, 'campaignId' | 'id' | 'email' | 'status' | 'review'>,
  now: Date
): Promise<void> {
  const kind = donation.email === null || donation.review === 'waiting' ? undefined : kinds[donation.status]
  if (kind === undefined) return
  await postMail(tx, settings, { kind, about: aboutDonation(donation), once: true }, now)
}

const kinds: Partial<Record<DonationRow['status'], string>> = {
  IN_PROCESS: 'donation-made',
  TRANSFERRED: 'donation-received'
}

/** How a letter names its donation. */
export function aboutDonation({ campaignId, id }: { campaignId: number; id: string }): string {
  return `${campaignId} ${id}`
}

/** Undefined where it names none. */
export function donationIn(about: string): { campaignId: number; id: string } | undefined {
  const [campaignId, id, ...rest] = about.split(' ')
  if (id === undefined || rest.length > 0 || !Number.isSafeInteger(Number(campaignId))) return undefined
  return { campaignId: Number(campaignId), id }
}
