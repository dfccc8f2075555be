import type { DonationStatus } from '#fundraising/donations/schema.ts'

const badgeClasses: Record<DonationStatus, string> = {
  IN_PROCESS: 'warn',
  TRANSFERRED: 'good',
  CANCELLED: 'plain',
  FAILED: 'bad',
  REFUNDED: 'plain'
}

export function DonationBadge({ status, label }: { status: DonationStatus; label: string }) {
  return <span class={`badge ${badgeClasses[status]}`}>{label}</span>
}
