import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import {
  newAddressOnReceiptProblem,
  newDonationOverProblem,
  newDonationTokenNotFoundProblem
} from '../problems/donations.ts'
import * as receipts from '../receipts/queries.ts'
import { mergeAddress } from './donation.ts'
import { queueDonationEmail } from './donation-emails.ts'
import * as donations from './queries.ts'
import type { OwnDonationChange } from './schema.ts'
import { type ChangeOptions, recordDonation } from './status-change.ts'

/**
 * Fields a donor can add later through their donation link: the e-mail address, and the postal address for the receipt.
 * The link does not show these fields again, so that whoever has it cannot read them.
 */
export async function changeOwnDonation(
  db: Database,
  { by, settings, expected, now = new Date() }: Actor & ChangeOptions & { expected?: IfMatch },
  token: string,
  change: OwnDonationChange
): Promise<void> {
  await db.transaction(async tx => {
    const found = await donations.findByToken(tx, token)
    if (found === undefined) throw newDonationTokenNotFoundProblem()
    const before = await donations.lock(tx, found.campaignId, found.id)
    // The donor was erased concurrently: the token is no longer valid.
    if (before !== undefined && before.erasedAt !== null) throw newDonationTokenNotFoundProblem()
    if (before === undefined || (before.status !== 'IN_PROCESS' && before.status !== 'TRANSFERRED')) {
      throw newDonationOverProblem()
    }
    requireVersion(expected, before.version)
    // Receipts are issued under the lock of their donations, so none can be issued in between.
    const receipt = change.address === undefined ? undefined : await receipts.findLiveReceipt(tx, found)
    if (receipt !== undefined) throw newAddressOnReceiptProblem(receipt.number)
    const fields = {
      receiptRequested: change.receiptRequested ?? before.receiptRequested,
      email: change.email === undefined ? before.email : change.email || null,
      language: change.language ?? before.language,
      ...mergeAddress(before, change)
    }
    const names = Object.keys(fields) as (keyof typeof fields)[]
    if (names.every(name => before[name] === fields[name])) return
    const after = await donations.update(tx, { ...before, ...fields, updatedAt: now.toISOString() })
    await recordDonation(tx, { by, now }, after, { action: 'donation.updated' })
    // A donor who adds the first e-mail address now gets the e-mail that others get at once.
    if (before.email === null) await queueDonationEmail(tx, settings, after, now)
  })
}
