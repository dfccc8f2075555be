import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import {
  newAddressOnReceiptProblem,
  newDonationOverProblem,
  newDonationTokenNotFoundProblem
} from '../problems/common.ts'
import * as receipts from '../receipts/queries.ts'
import { mergeAddress } from './donation.ts'
import { queueDonationEmail } from './donation-emails.ts'
import * as donations from './queries.ts'
import type { OwnDonationChange } from './schema.ts'
import { type ChangeOptions, recordDonation } from './status-change.ts'

/**
 * What a donor may add later with the own link: where we can write to, and where the receipt goes. Who has the link gets
 * to read none of it: what was typed is never shown again.
 */
export async function changeOwnDonation(
  db: Database,
  by: Caller,
  token: string,
  change: OwnDonationChange,
  { settings, expected, now = new Date() }: ChangeOptions & { expected?: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const found = await donations.findByToken(tx, token)
    if (found === undefined) throw newDonationTokenNotFoundProblem()
    const before = await donations.lock(tx, found.campaignId, found.id)
    // Erased in this moment: the token is good for nothing any more.
    if (before !== undefined && before.erasedAt !== null) throw newDonationTokenNotFoundProblem()
    if (before === undefined || (before.status !== 'IN_PROCESS' && before.status !== 'TRANSFERRED')) {
      throw newDonationOverProblem()
    }
    requireVersion(expected, before.version)
    // A receipt is issued under the lock of its donations, so none comes in between.
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
    await recordDonation(tx, by, now, 'donation.updated', after)
    // Whoever says only now where to write to gets what others got at once.
    if (before.email === null) await queueDonationEmail(tx, settings, after, now)
  })
}
