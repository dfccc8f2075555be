import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { pickByLanguage } from '#platform/language.ts'
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
  const words = pickByLanguage(texts, language)(receipt.number, donations.length)
  const blocks = [words.greeting(donor.name), words.body, `${words.regards}\n${issuer.legalName}`]
  return {
    to: { name: donor.name, address: email.address },
    subject: words.subject(issuer.legalName),
    ...renderBlocks(blocks, language),
    attachments: [{ name: `${receipt.number}.pdf`, type: 'application/pdf', content: file }]
  }
}

const texts = {
  en: (number: string, count: number) => ({
    subject: (organisation: string) => `Your donation receipt from ${organisation}`,
    greeting: (name: string) => `Dear ${name},`,
    body: `Please find attached your donation receipt ${number} for ${count === 1 ? 'your donation' : `your ${count} donations`} as a PDF file. Please keep it for your tax return.`,
    regards: 'Kind regards'
  }),
  de: (number: string, count: number) => ({
    subject: (organisation: string) => `Ihre Zuwendungsbestätigung von ${organisation}`,
    greeting: (name: string) => `Guten Tag ${name},`,
    body: `anbei erhalten Sie die Zuwendungsbestätigung ${number} für ${count === 1 ? 'Ihre Spende' : `Ihre ${count} Spenden`} als PDF-Datei. Bitte bewahren Sie sie für Ihre Steuererklärung auf.`,
    regards: 'Mit freundlichen Grüßen'
  })
}
