import { fundraisingEmails } from '#fundraising/emails/templates.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { payload, payloads } from '../crawl/malformed-page-values.ts'
import { startMailbox } from '../mailbox.ts'
import { campaign, donation, startCampaigns } from '../services.ts'

/** The HTML of emails about donations in which every text is an attack. */
export async function createMaliciousEmails(): Promise<string[]> {
  const mailbox = await startMailbox()
  const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
  const limits = { RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
  const { admin, visitor, store, settings } = await startCampaigns({ env: { ...env, ...limits } })
  let donors = 0
  await admin.patch('/site', { name: payload.slice(0, 100) })
  for (const name of [payload.slice(0, 200), ...payloads]) {
    const account = { ...campaign.account, name: name.slice(0, 140) }
    const { id } = (await admin.post('/campaigns', { ...campaign, name, description: name, account })).body
    for (const language of ['en', 'de']) {
      donors += 1
      const from = { donorName: name.slice(0, 140), message: name, email: `ada${donors}@example.org`, language }
      const donated = (await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...from })).body
      await sendDueEmails(store, settings, fundraisingEmails)
      await admin.patch(`/campaigns/${id}/donations/${donated.id}`, { status: 'TRANSFERRED' })
      await sendDueEmails(store, settings, fundraisingEmails)
    }
  }
  return mailbox.received.map(({ html }) => html).filter(html => html !== '')
}
