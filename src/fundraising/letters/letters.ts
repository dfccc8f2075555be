import type { Letters } from '#platform/mail/letter.ts'
import { receiptLetter } from '../receipts/letter.ts'
import { accountChangedLetter } from './account-changed.ts'
import { accountRequestedLetter } from './account-requested.ts'
import { donationMade, donationReceived } from './confirmation.ts'
import { donationHeldLetter } from './donation-held.ts'
import { preNotification } from './pre-notification.ts'

/** Every kind of letter that we write; see docs/mail.md. */
export const fundraisingLetters: Letters = {
  'account-changed': accountChangedLetter,
  'account-requested': accountRequestedLetter,
  'donation-held': donationHeldLetter,
  'donation-made': donationMade,
  'donation-received': donationReceived,
  'pre-notification': preNotification,
  receipt: receiptLetter
}
