import { record } from '#platform/activity/activity.ts'
import * as users from '#platform/auth/users/queries.ts'
import { type Actor, type Caller, hasRole, requireRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import * as site from '#platform/site/queries.ts'
import { confirmingRoles } from '#platform/site/second-person.ts'
import { changeSite } from '#platform/site/site.ts'
import { patchCampaign } from '../campaigns/campaign.ts'
import * as campaigns from '../campaigns/queries.ts'
import { isValidIban, maskIban } from '../money/iban.ts'
import {
  newAccountRequestNotFoundProblem,
  newAccountRequestOpenProblem,
  newAccountRequestOutdatedProblem,
  newAccountUnchangedProblem,
  newCampaignIdMissingProblem,
  newCampaignIdNotExpectedProblem,
  newNotYourAccountRequestProblem,
  newOwnAccountRequestProblem,
  newPersonNeededProblem,
  newRequestedAccountMissingProblem,
  newRequestedAccountNotExpectedProblem,
  newRequestedHolderMissingProblem,
  newRequestedIbanInvalidProblem,
  newSecondPersonOffProblem
} from '../problems/account-requests.ts'
import { newCampaignNotFoundProblem } from '../problems/campaigns.ts'
import type { AccountRequestRow } from './queries.ts'
import * as requests from './queries.ts'
import type { NewAccountRequest } from './schema.ts'

/** A request expires after this time and can no longer be confirmed. */
const expiresMs = 14 * 86_400_000

/** An API key counts as the user who created it. */
const getPersonId = ({ userId, makerId }: Caller) => userId ?? makerId ?? null

export function isOwnRequest(caller: Caller, { askedBy, askedById }: AccountRequestRow): boolean {
  const personId = getPersonId(caller)
  return personId === null ? askedById === null && caller.name === askedBy : personId === askedById
}

/** Needs a signed-in user, not an API key, and a different one than the requester. */
export function canConfirm(caller: Caller, request: AccountRequestRow): boolean {
  return caller.sessionId !== undefined && hasRole(caller, 'treasurer') && !isOwnRequest(caller, request)
}

export async function createAccountRequest(
  db: Database,
  by: Caller,
  { input, settings, now = new Date() }: { input: NewAccountRequest; settings: Settings; now?: Date }
): Promise<AccountRequestRow> {
  const { change, campaignId = null, account = null } = input
  // Requesting a change needs the same role as making it.
  if (change !== 'campaign_account') requireRole(by, ['admin'])
  if (change === 'campaign_account' && campaignId === null) throw newCampaignIdMissingProblem()
  if (change !== 'campaign_account' && campaignId !== null) throw newCampaignIdNotExpectedProblem()
  if (change !== 'turn_off' && account === null) throw newRequestedAccountMissingProblem()
  if (change === 'turn_off' && account !== null) throw newRequestedAccountNotExpectedProblem()
  if (change === 'site_account' && account !== null && !isValidIban(account.iban))
    throw newRequestedIbanInvalidProblem()

  return await db.transaction(async tx => {
    const ibanBefore = await findIbanBefore(tx, input)
    if (change === 'turn_off' && !(await site.isSecondPersonNeeded(tx))) throw newSecondPersonOffProblem()
    if (account !== null && account.iban === ibanBefore) throw newAccountUnchangedProblem()
    if (change === 'site_account' && ibanBefore === null && account?.name === undefined)
      throw newRequestedHolderMissingProblem()
    const same = await requests.lockForSameAccount(tx, { change, campaignId })
    if (same !== undefined && (await isOpenRequest(tx, same, now)))
      throw newAccountRequestOpenProblem(toPlainName(same.askedBy))
    if (same !== undefined) await expireRequest(tx, same, now)

    const made = await requests.insert(
      tx,
      {
        change,
        campaignId,
        iban: account?.iban ?? null,
        accountName: account?.name ?? null,
        bankName: account?.nameOfBank || null,
        ibanBefore,
        askedBy: by.name,
        askedById: getPersonId(by)
      },
      { now, expiresAt: new Date(now.getTime() + expiresMs) }
    )
    // Two concurrent requests for the same account: the other insert won.
    if (made === undefined) throw newAccountRequestOpenProblem(toPlainName(by.name))
    await recordRequest(tx, { by, now }, 'account_request.created', made)
    await notifyConfirmers(tx, settings, made, now)
    return made
  })
}

/** Requests that can still be confirmed, oldest first. */
export async function listOpenRequests(db: Database, now = new Date()): Promise<AccountRequestRow[]> {
  const rows = await requests.list(db, now)
  const open = await Promise.all(rows.map(async row => await isOpenRequest(db, row, now)))
  return rows.filter((_, index) => open[index])
}

export async function findOpenRequest(
  db: Database,
  id: number,
  now = new Date()
): Promise<AccountRequestRow | undefined> {
  const row = await requests.find(db, id)
  return row !== undefined && (await isOpenRequest(db, row, now)) ? row : undefined
}

/** Called by the second person: makes the change with the same functions as a direct change. */
export async function confirmAccountRequest(
  db: Database,
  by: Caller,
  { id, settings, now = new Date() }: { id: number; settings: Settings; now?: Date }
): Promise<void> {
  if (by.sessionId === undefined) throw newPersonNeededProblem()
  await db.transaction(async tx => {
    const request = await lockOpenRequest(tx, id, now)
    if (isOwnRequest(by, request)) throw newOwnAccountRequestProblem()
    await requests.remove(tx, id)
    await recordRequest(tx, { by, now }, 'account_request.confirmed', request)
    await applyRequest(tx, by, { request, settings, now })
  })
}

/** The requester withdraws a request; treasurers and admins reject it. */
export async function endAccountRequest(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const request = await lockOpenRequest(tx, id, now)
    const isOwn = isOwnRequest(by, request)
    if (!isOwn && !hasRole(by, 'treasurer')) throw newNotYourAccountRequestProblem()
    await requests.remove(tx, id)
    await recordRequest(tx, { by, now }, isOwn ? 'account_request.withdrawn' : 'account_request.rejected', request)
  })
}

/** Removes requests that can no longer be confirmed and records that in the activity log. */
export async function endExpiredRequests(db: Database, now = new Date()): Promise<void> {
  for (const { id } of await requests.listAll(db)) {
    await db.transaction(async tx => {
      const request = await requests.lock(tx, id)
      if (request !== undefined && !(await isOpenRequest(tx, request, now))) await expireRequest(tx, request, now)
    })
  }
}

async function applyRequest(
  tx: Database,
  by: Caller,
  { request, settings, now }: { request: AccountRequestRow; settings: Settings; now: Date }
): Promise<void> {
  const { change, campaignId, iban, accountName, bankName, ibanBefore, askedBy } = request
  const approval = { askedBy }
  if (change === 'turn_off') {
    await changeSite(tx, { by, settings, expected: undefined, now, approval }, { secondPersonForAccounts: false })
    return
  }
  if (iban === null) throw new Error(`The account request ${request.id} has no IBAN.`)
  if (change === 'site_account') {
    const { account } = await site.lock(tx)
    if ((account?.iban ?? null) !== ibanBefore) throw newAccountRequestOutdatedProblem()
    const name = accountName ?? account?.name ?? ''
    await changeSite(
      tx,
      { by, settings, expected: undefined, now, approval },
      { account: { iban, name, nameOfBank: bankName } }
    )
    return
  }
  const campaign = campaignId === null ? undefined : await campaigns.lock(tx, campaignId)
  if (campaignId === null || campaign?.iban !== ibanBefore) throw newAccountRequestOutdatedProblem()
  const account = {
    iban,
    ...(accountName === null ? {} : { name: accountName }),
    ...(bankName === null ? {} : { nameOfBank: bankName })
  }
  await patchCampaign(tx, by, { id: campaignId, input: { account }, expected: undefined, settings, approval, now })
}

async function findIbanBefore(tx: Database, { change, campaignId }: NewAccountRequest): Promise<string | null> {
  if (change !== 'campaign_account') return await site.findAccountIban(tx)
  const campaign = await campaigns.lock(tx, campaignId ?? 0)
  if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId ?? 0)
  return campaign.iban
}

async function lockOpenRequest(tx: Database, id: number, now: Date): Promise<AccountRequestRow> {
  const request = await requests.lock(tx, id)
  if (request === undefined || !(await isOpenRequest(tx, request, now))) throw newAccountRequestNotFoundProblem()
  return request
}

/** A request is open until it expires or the user who made it is deleted. */
async function isOpenRequest(db: Database, { expiresAt, askedById }: AccountRequestRow, now: Date): Promise<boolean> {
  if (Date.parse(expiresAt) <= now.getTime()) return false
  return askedById === null || (await users.find(db, askedById)) !== undefined
}

async function expireRequest(tx: Database, request: AccountRequestRow, now: Date): Promise<void> {
  await requests.remove(tx, request.id)
  await recordRequest(tx, { by: expiryCaller, now }, 'account_request.expired', request)
}

/** The actor recorded for expired requests, because no user ends them. */
const expiryCaller: Caller = {
  role: undefined,
  name: 'expiry',
  keyId: undefined,
  userId: undefined,
  sessionId: undefined,
  requestId: ''
}

async function recordRequest(
  tx: Database,
  { by, now }: Required<Actor>,
  action: string,
  request: AccountRequestRow
): Promise<void> {
  const { id, change, campaignId, campaignName, iban, ibanBefore, askedBy } = request
  const accounts =
    iban === null
      ? { fields: ['secondPersonForAccounts'] }
      : { accountBefore: ibanBefore === null ? null : maskIban(ibanBefore), accountAfter: maskIban(iban) }
  const about =
    campaignId === null
      ? { name: (await site.find(tx)).name }
      : { campaignId, name: campaignName ?? String(campaignId) }
  const details = { change, ...about, ...accounts, ...(by.name === askedBy ? {} : { askedBy }) }
  await record(tx, { by, now }, action, { subject: 'account_request', id, details })
}

/** Queues one e-mail per user who can confirm the request. */
async function notifyConfirmers(tx: Database, settings: Settings, { id, askedById }: AccountRequestRow, now: Date) {
  if (settings.smtpUrl === undefined) return
  for (const user of await users.list(tx)) {
    if (!confirmingRoles.includes(user.role) || user.id === askedById) continue
    await queueEmail(tx, settings, { kind: 'account-requested', about: `${id} ${user.id}`, once: true }, now)
  }
}

/** The activity log names a user as `user 5 (Anna)`. */
export function toPlainName(actor: string): string {
  return actor.replace(/^user \d+ \((.*)\)$/s, '$1')
}
