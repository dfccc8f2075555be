import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type NewEmail, queueEmail } from '#platform/email/outbox.ts'
import type { DonationRow } from './donation-row.ts'

/**
 * Queues the e-mail on how to pay, or that the money arrived, if the donor gave an address. Each is sent once, whatever
 * is corrected later.
 */
export async function queueDonationEmail(
  tx: Database,
  settings: Pick<Settings, 'smtpUrl'>,
  donation: Pick<DonationRow, 'campaignId' | 'id' | 'email' | 'status' | 'review'>,
  now: Date
): Promise<void> {
  const email = findDonationEmail(donation)
  if (email !== undefined) await queueEmail(tx, settings, email, now)
}

export function findDonationEmail(
  donation: Pick<DonationRow, 'campaignId' | 'id' | 'email' | 'status' | 'review'>
): NewEmail | undefined {
  const kind = donation.email === null || donation.review === 'waiting' ? undefined : emailKinds[donation.status]
  return kind === undefined ? undefined : { kind, about: formatDonationKey(donation), once: true }
}

const emailKinds: Partial<Record<DonationRow['status'], string>> = {
  IN_PROCESS: 'donation-made',
  TRANSFERRED: 'donation-received'
}

/** The key of a donation in the outbox. */
export function formatDonationKey({ campaignId, id }: { campaignId: number; id: string }): string {
  return `${campaignId} ${id}`
}

/** Returns undefined if the text is no donation key. */
export function parseDonationKey(about: string): { campaignId: number; id: string } | undefined {
  const [campaignId, id, ...rest] = about.split(' ')
  if (id === undefined || rest.length > 0 || !Number.isSafeInteger(Number(campaignId))) return undefined
  return { campaignId: Number(campaignId), id }
}
