import type { Actor } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmails } from '#platform/email/outbox.ts'
import type { Problem } from '#platform/problem.ts'
import * as news from '../../news/queries.ts'
import {
  newEmailNotConfiguredProblem,
  newNoRecipientsProblem,
  newUpdateIsDraftProblem,
  newUpdateSentProblem
} from '../../problems/updates.ts'
import * as campaigns from '../queries.ts'
import { lockUpdate, recordUpdate } from './campaign-update.ts'
import type { UpdateRow } from './queries.ts'
import * as updates from './queries.ts'
import type { MailingObstacle, UpdateMailing } from './schema.ts'

export const updateEmailKind = 'campaign-update'

/** Keeps a large mailing from delaying other emails, and from being refused by mail servers. */
const emailsPerMinute = 60

/** How many donors would get the update, and what prevents it from being sent. */
export async function findMailing(db: Database, settings: Settings, row: UpdateRow): Promise<UpdateMailing> {
  const recipients = await news.countRecipients(db, row.campaignId)
  return { recipients, sentAt: row.sentAt, obstacle: await findObstacle(db, settings, row, recipients) }
}

/**
 * Queues one email per donor who asked for news. The same transaction marks the update as sent, so no crash and no
 * second request sends it again.
 */
export async function sendUpdate(
  db: Database,
  { by, settings, now = new Date() }: Actor & { settings: Settings },
  key: { campaignId: number; id: number }
): Promise<UpdateMailing> {
  return await db.transaction(async tx => {
    const row = await lockUpdate(tx, key)
    const donations = await news.listRecipients(tx, key.campaignId)
    const obstacle = await findObstacle(tx, settings, row, donations.length)
    if (obstacle !== null) throw problems[obstacle]()
    const abouts = donations.map(donationId => formatMailingKey({ ...key, donationId }))
    await queueEmails(tx, settings, { kind: updateEmailKind, abouts, perMinute: emailsPerMinute }, now)
    await updates.setSent(tx, key, now)
    await recordUpdate(tx, { by, now }, 'campaign_update.sent', { ...row, recipients: donations.length })
    return { recipients: donations.length, sentAt: now.toISOString(), obstacle: 'sent' }
  })
}

const problems: Record<MailingObstacle, () => Problem> = {
  sent: newUpdateSentProblem,
  draft: newUpdateIsDraftProblem,
  'email-not-configured': newEmailNotConfiguredProblem,
  'no-recipients': newNoRecipientsProblem
}

async function findObstacle(
  db: Database,
  { smtpUrl, publicUrl }: Settings,
  { campaignId, sentAt, status }: UpdateRow,
  recipients: number
): Promise<MailingObstacle | null> {
  if (sentAt !== null) return 'sent'
  const campaign = await campaigns.findTerms(db, campaignId)
  if (status === 'draft' || campaign?.status === 'draft') return 'draft'
  // Without the address of the site there would be no link to unsubscribe.
  if (smtpUrl === undefined || publicUrl === undefined) return 'email-not-configured'
  return recipients === 0 ? 'no-recipients' : null
}

interface MailingKey {
  campaignId: number
  id: number
  donationId: string
}

/** The key of an email in the outbox. */
function formatMailingKey({ campaignId, id, donationId }: MailingKey): string {
  return `${campaignId} ${id} ${donationId}`
}

export function parseMailingKey(about: string): MailingKey {
  const [campaignId, id, donationId = ''] = about.split(' ')
  return { campaignId: Number(campaignId), id: Number(id), donationId }
}
