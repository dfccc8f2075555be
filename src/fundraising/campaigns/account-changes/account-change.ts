import { record } from '#platform/activity/activity.ts'
import * as activity from '#platform/activity/queries.ts'
import type { Activity } from '#platform/activity/schema.ts'
import * as users from '#platform/auth/users/queries.ts'
import type { Actor } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import type { Approval } from '#platform/site/second-person.ts'
import { maskIban } from '../../money/iban.ts'
import type { AccountChange, AccountChangesQuery } from './schema.ts'

/** Records the new account in the activity log and notifies the contact address and all admins by e-mail. */
export async function recordAccountChange(
  tx: Database,
  { by, settings, now }: Required<Actor> & { settings: Settings },
  campaign: {
    id: number
    version: number
    name: string
    before: string
    after: string
    /** Set if a second person had to confirm the change. */
    approval?: Approval | undefined
  }
): Promise<void> {
  const { id, version, name, before, after, approval } = campaign
  const details = { name, version, accountBefore: maskIban(before), accountAfter: maskIban(after), ...approval }
  await record(tx, { by, now }, 'campaign.account_changed', { subject: 'campaign', id, details })
  if (settings.smtpUrl === undefined) return
  const admins = (await users.list(tx)).filter(({ role }) => role === 'admin')
  // One e-mail each, as each can fail separately. Also to the actor: someone else may have acted in their name.
  for (const reader of ['contact', ...admins.map(admin => String(admin.id))]) {
    await queueEmail(tx, settings, { kind: 'account-changed', about: `${id} ${version} ${reader}`, once: true }, now)
  }
}

/** Newest first, read from the activity log. */
export async function listAccountChanges(
  db: Database,
  { campaignId, since, limit = 20 }: AccountChangesQuery
): Promise<AccountChange[]> {
  const within = since === undefined ? {} : { since }
  const page = { beforeId: undefined, rows: limit }
  const [ofCampaigns, ofSite] = await Promise.all([
    activity.list(
      db,
      {
        ...within,
        action: 'campaign.account_changed',
        ...(campaignId === undefined ? {} : { subject: 'campaign', subjectId: String(campaignId) })
      },
      page
    ),
    campaignId === undefined ? activity.list(db, { ...within, action: 'site.account_changed' }, page) : []
  ])
  return [...ofCampaigns, ...ofSite]
    .sort((one, other) => other.id - one.id)
    .slice(0, limit)
    .map(toAccountChange)
}

/** The change that produced this version of a campaign. */
export async function findAccountChange(
  db: Database,
  campaignId: number,
  version: number
): Promise<AccountChange | undefined> {
  const filter = { action: 'campaign.account_changed', subject: 'campaign', subjectId: String(campaignId) }
  const rows = await activity.list(db, filter, { beforeId: undefined, rows: 100 })
  const found = rows.find(({ details }) => details.version === version)
  return found && toAccountChange(found)
}

function toAccountChange({ at, actor, subject, subjectId, details }: Activity): AccountChange {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    at,
    actor,
    campaignId: subject === 'campaign' ? Number(subjectId) : null,
    campaignName: text(details.name),
    before: text(details.accountBefore),
    after: text(details.accountAfter),
    askedBy: text(details.askedBy)
  }
}
