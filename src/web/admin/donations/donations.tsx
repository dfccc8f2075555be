import type { AdminRole, AdminRouter } from '../shared/context.ts'
import { changeStatuses } from './bulk-actions.tsx'
import { downloadDonations } from './donation-download.ts'
import { showDonations } from './donation-list.tsx'
import { addNote, correctDonation, handleAccept, handleUndo, removeNote, showDonation } from './donation-page.tsx'
import { askToErase, downloadDonor, eraseDonor } from './donor-data.tsx'
import { donationsMenu } from './links/paths.ts'
import { messagePath, reviewMessage } from './message-review.tsx'
import { unsubscribeDonor } from './news-consent.tsx'
import { askToRemovePayment, removePayment } from './payment-removal.tsx'
import { recordReturn, showReturnForm } from './payment-return.tsx'
import { recordPayment, showPaymentForm } from './payments.tsx'
import { recordDonation, showRecordForm } from './record-donation.tsx'
import { releaseDonations } from './release.ts'
import { askToChangeStatus, changeStatus } from './status-change.tsx'
import { undoPath } from './undo.ts'

const treasurers: AdminRole[] = ['treasurer']

export function registerDonationRoutes(console: AdminRouter): void {
  const one = `${donationsMenu}/:campaign/:donation`
  console.get(donationsMenu, treasurers, showDonations)
  console.get(`${donationsMenu}.csv`, treasurers, downloadDonations)
  console.post(`${donationsMenu}/status`, treasurers, changeStatuses)
  console.post(undoPath, treasurers, handleUndo)
  console.post(`${donationsMenu}/release`, treasurers, releaseDonations)
  console.post(messagePath, treasurers, reviewMessage)
  console.get(`${donationsMenu}/new`, treasurers, showRecordForm)
  console.post(`${donationsMenu}/new`, treasurers, recordDonation)
  console.get(one, treasurers, showDonation)
  console.post(one, treasurers, correctDonation)
  console.get(`${one}/payment`, treasurers, showPaymentForm)
  console.post(`${one}/payment`, treasurers, recordPayment)
  console.post(`${one}/accept`, treasurers, handleAccept)
  console.get(`${one}/went-back`, treasurers, showReturnForm)
  console.post(`${one}/went-back`, treasurers, recordReturn)
  console.get(`${one}/payments/:payment/remove`, treasurers, askToRemovePayment)
  console.post(`${one}/payments/:payment/remove`, treasurers, removePayment)
  console.get(`${one}/cancel`, treasurers, async context => await askToChangeStatus(context, 'CANCELLED'))
  console.post(`${one}/cancel`, treasurers, async context => await changeStatus(context, 'CANCELLED'))
  console.get(`${one}/fail`, treasurers, async context => await askToChangeStatus(context, 'FAILED'))
  console.post(`${one}/fail`, treasurers, async context => await changeStatus(context, 'FAILED'))
  console.get(`${one}/donor.json`, treasurers, downloadDonor)
  console.get(`${one}/erase`, treasurers, askToErase)
  console.post(`${one}/erase`, treasurers, eraseDonor)
  console.post(`${one}/news/unsubscribe`, treasurers, async context => await unsubscribeDonor(context))
  console.post(`${one}/notes`, treasurers, addNote)
  console.post(`${one}/notes/:note/remove`, treasurers, removeNote)
}
