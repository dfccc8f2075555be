import type { Console, ConsoleRole } from '../console.ts'
import { donationsMenu } from './addresses.ts'
import { moveDonations } from './bulk.tsx'
import { downloadDonations } from './donation-download.ts'
import { showDonations } from './donation-list.tsx'
import { addNote, correctDonation, removeNote, showDonation, takeAccept, takeUndo } from './donation-page.tsx'
import { recordDonation, showRecordForm } from './donation-record.tsx'
import { askToErase, downloadDonor, eraseDonor } from './donor-data.tsx'
import { messagePath, reviewMessage } from './message-review.tsx'
import { askToRemovePayment, removePayment } from './payment-removal.tsx'
import { askWhatWentBack, recordReturn } from './payment-return.tsx'
import { recordPayment, showPaymentForm } from './payments.tsx'
import { releaseDonations } from './release.ts'
import { askToMove, moveDonation } from './status-questions.tsx'
import { undoPath } from './undo.ts'

const treasurers: ConsoleRole[] = ['treasurer']

export function donationPages(console: Console): void {
  const one = `${donationsMenu}/:campaign/:donation`
  console.show(donationsMenu, treasurers, showDonations)
  console.show(`${donationsMenu}.csv`, treasurers, downloadDonations)
  console.take(`${donationsMenu}/status`, treasurers, moveDonations)
  console.take(undoPath, treasurers, takeUndo)
  console.take(`${donationsMenu}/release`, treasurers, releaseDonations)
  console.take(messagePath, treasurers, reviewMessage)
  console.show(`${donationsMenu}/new`, treasurers, showRecordForm)
  console.take(`${donationsMenu}/new`, treasurers, recordDonation)
  console.show(one, treasurers, showDonation)
  console.take(one, treasurers, correctDonation)
  console.show(`${one}/payment`, treasurers, showPaymentForm)
  console.take(`${one}/payment`, treasurers, recordPayment)
  console.take(`${one}/accept`, treasurers, takeAccept)
  console.show(`${one}/went-back`, treasurers, askWhatWentBack)
  console.take(`${one}/went-back`, treasurers, recordReturn)
  console.show(`${one}/payments/:payment/remove`, treasurers, askToRemovePayment)
  console.take(`${one}/payments/:payment/remove`, treasurers, removePayment)
  console.show(`${one}/cancel`, treasurers, async desk => await askToMove(desk, 'CANCELLED'))
  console.take(`${one}/cancel`, treasurers, async desk => await moveDonation(desk, 'CANCELLED'))
  console.show(`${one}/fail`, treasurers, async desk => await askToMove(desk, 'FAILED'))
  console.take(`${one}/fail`, treasurers, async desk => await moveDonation(desk, 'FAILED'))
  console.show(`${one}/donor.json`, treasurers, downloadDonor)
  console.show(`${one}/erase`, treasurers, askToErase)
  console.take(`${one}/erase`, treasurers, eraseDonor)
  console.take(`${one}/notes`, treasurers, addNote)
  console.take(`${one}/notes/:note/remove`, treasurers, removeNote)
}
