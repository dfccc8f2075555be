import type { EmailTemplates } from '#platform/email/outbox.ts'
import { buildAccountChangedEmail } from './account-changed.ts'
import { buildAccountRequestedEmail } from './account-requested.ts'
import { buildCampaignUpdateEmail } from './campaign-update.ts'
import { buildDonationMadeEmail, buildDonationReceivedEmail } from './confirmation.ts'
import { buildAwaitingReviewEmail } from './donation-awaiting-review.ts'
import { buildPreNotificationEmail } from './pre-notification.ts'
import { buildReceiptEmail } from './receipt.ts'

/** All e-mail templates; see docs/mail.md. */
export const fundraisingEmails: EmailTemplates = {
  'account-changed': buildAccountChangedEmail,
  'account-requested': buildAccountRequestedEmail,
  'campaign-update': buildCampaignUpdateEmail,
  'donation-awaiting-review': buildAwaitingReviewEmail,
  'donation-made': buildDonationMadeEmail,
  'donation-received': buildDonationReceivedEmail,
  'pre-notification': buildPreNotificationEmail,
  receipt: buildReceiptEmail
}
