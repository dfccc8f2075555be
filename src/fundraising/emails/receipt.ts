import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { getMessages } from '#platform/messages/messages.ts'
import * as receipts from '../receipts/queries.ts'
import { renderBlocks } from './layout.ts'

/** Sends a receipt to the donor, unless it was withdrawn or the donor was erased. */
export async function buildReceiptEmail(db: Database, _settings: Settings, about: string): Promise<Email | undefined> {
  const [receipt, email] = await Promise.all([receipts.find(db, about), receipts.findDonorEmail(db, about)])
  if (receipt === undefined || email === undefined || receipt.state === 'withdrawn') return undefined
  const file = await receipts.findFile(db, receipt.id)
  if (file === null) return undefined
  const { donor, issuer, donations } = receipt.content
  const language = email.language ?? receipt.language
  const { greetingTo, regards } = getMessages('donation-emails', language)
  const { subject, text } = getMessages('receipt-email', language)
  const blocks = [
    greetingTo({ name: donor.name }),
    text({ number: receipt.number, count: donations.length }),
    `${regards}\n${issuer.legalName}`
  ]
  return {
    to: { name: donor.name, address: email.address },
    subject: subject({ organisation: issuer.legalName }),
    ...renderBlocks(blocks, language),
    attachments: [{ name: `${receipt.number}.pdf`, type: 'application/pdf', content: file }]
  }
}
