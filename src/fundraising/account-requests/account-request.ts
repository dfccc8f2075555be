import { type Caller, may, refuseUnlessAllowed } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { postMail } from '#platform/mail/letter.ts'
import * as site from '#platform/site/queries.ts'
import { confirmingRoles } from '#platform/site/second-person.ts'
import { changeSite } from '#platform/site/site.ts'
import * as users from '#platform/users/queries.ts'
import {
  accountRequestNotFound,
  accountRequestOutdated,
  campaignIdMissing,
  campaignIdNotExpected,
  notYourAccountRequest,
  ownAccountRequest,
  personNeededToConfirm,
  requestedAccountMissing,
  requestedAccountNotExpected,
  requestedHolderMissing,
  requestedIbanIsPresent,
  requestedIbanNotValid,
  requestIsOpen,
  secondPersonIsOff
} from '../account-request-problems.ts'
import { patchCampaign } from '../campaigns/campaign.ts'
import * as campaigns from '../campaigns/queries.ts'
import { ibanIsValid, maskedIban } from '../iban.ts'
import { campaignNotFound } from '../problems.ts'
import type { AccountRequestRow } from './queries.ts'
import * as requests from './queries.ts'
import type { NewAccountRequest } from './schema.ts'

/** After this time nobody confirms a request any more. */
const expiresMs = 14 * 86_400_000

/** A key counts as the person who made it. */
const getPersonId = ({ userId, makerId }: Caller) => userId ?? makerId ?? null

export function isOwnRequest(caller: Caller, { askedBy, askedById }: AccountRequestRow): boolean {
  const personId = getPersonId(caller)
  return personId === null ? askedById === null && caller.name === askedBy : personId === askedById
}

/** A person, not a key, and another one than who asked. */
export function canConfirm(caller: Caller, request: AccountRequestRow): boolean {
  return caller.sessionId !== undefined && may(caller, 'treasurer') && !isOwnRequest(caller, request)
}

export async function createAccountRequest(
  db: Database,
  by: Caller,
  { input, settings, now = new Date() }: { input: NewAccountRequest; settings: Settings; now?: Date }
): Promise<AccountRequestRow> {
  const { change, campaignId = null, account = null } = input
  // Whoever may not change it may not ask for it either.
  if (change !== 'campaign_account') refuseUnlessAllowed(by, ['admin'])
  if (change === 'campaign_account' && campaignId === null) throw campaignIdMissing()
  if (change !== 'campaign_account' && campaignId !== null) throw campaignIdNotExpected()
  if (change !== 'turn_off' && account === null) throw requestedAccountMissing()
  if (change === 'turn_off' && account !== null) throw requestedAccountNotExpected()
  if (change === 'site_account' && account !== null && !ibanIsValid(account.iban)) throw requestedIbanNotValid()

  return await db.transaction(async tx => {
    const ibanBefore = await findIbanBefore(tx, input)
    if (change === 'turn_off' && !(await site.isSecondPersonNeeded(tx))) throw secondPersonIsOff()
    if (account !== null && account.iban === ibanBefore) throw requestedIbanIsPresent()
    if (change === 'site_account' && ibanBefore === null && account?.name === undefined) throw requestedHolderMissing()
    const same = await requests.lockSame(tx, { change, campaignId })
    if (same !== undefined && (await isOpen(tx, same, now))) throw requestIsOpen(toPlainName(same.askedBy))
    if (same !== undefined) await expire(tx, same, now)

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
    // Two at the same moment: the other one stands.
    if (made === undefined) throw requestIsOpen(toPlainName(by.name))
    await recordRequest(tx, by, now, 'account_request.created', made)
    await tellOthers(tx, settings, made, now)
    return made
  })
}

/** Those that somebody can still confirm, oldest first. */
export async function listOpenRequests(db: Database, now = new Date()): Promise<AccountRequestRow[]> {
  const rows = await requests.list(db, now)
  const open = await Promise.all(rows.map(async row => await isOpen(db, row, now)))
  return rows.filter((_, index) => open[index])
}

export async function findOpenRequest(
  db: Database,
  id: number,
  now = new Date()
): Promise<AccountRequestRow | undefined> {
  const row = await requests.find(db, id)
  return row !== undefined && (await isOpen(db, row, now)) ? row : undefined
}

/** The second person's part: makes the change, by the same functions as any other one. */
export async function confirmAccountRequest(
  db: Database,
  by: Caller,
  { id, settings, now = new Date() }: { id: number; settings: Settings; now?: Date }
): Promise<void> {
  if (by.sessionId === undefined) throw personNeededToConfirm()
  await db.transaction(async tx => {
    const request = await lockOpen(tx, id, now)
    if (isOwnRequest(by, request)) throw ownAccountRequest()
    await requests.remove(tx, id)
    await recordRequest(tx, by, now, 'account_request.confirmed', request)
    await applyRequest(tx, by, { request, settings, now })
  })
}

/** Whoever asked withdraws; treasurers and admins reject. */
export async function endAccountRequest(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const request = await lockOpen(tx, id, now)
    const isOwn = isOwnRequest(by, request)
    if (!isOwn && !may(by, 'treasurer')) throw notYourAccountRequest()
    await requests.remove(tx, id)
    await recordRequest(tx, by, now, isOwn ? 'account_request.withdrawn' : 'account_request.rejected', request)
  })
}

/** Removes what nobody can confirm any more, and writes that down. */
export async function endExpiredRequests(db: Database, now = new Date()): Promise<void> {
  for (const { id } of await requests.listAll(db)) {
    await db.transaction(async tx => {
      const request = await requests.lock(tx, id)
      if (request !== undefined && !(await isOpen(tx, request, now))) await expire(tx, request, now)
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
    await changeSite(tx, by, settings, { secondPersonForAccounts: false }, undefined, { now, approval })
    return
  }
  if (iban === null) throw new Error(`The account request ${request.id} has no IBAN.`)
  if (change === 'site_account') {
    const { account } = await site.lock(tx)
    if ((account?.iban ?? null) !== ibanBefore) throw accountRequestOutdated()
    const name = accountName ?? account?.name ?? ''
    await changeSite(tx, by, settings, { account: { iban, name, nameOfBank: bankName } }, undefined, { now, approval })
    return
  }
  const campaign = campaignId === null ? undefined : await campaigns.lock(tx, campaignId)
  if (campaignId === null || campaign?.iban !== ibanBefore) throw accountRequestOutdated()
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
  if (campaign === undefined) throw campaignNotFound(campaignId ?? 0)
  return campaign.iban
}

async function lockOpen(tx: Database, id: number, now: Date): Promise<AccountRequestRow> {
  const request = await requests.lock(tx, id)
  if (request === undefined || !(await isOpen(tx, request, now))) throw accountRequestNotFound()
  return request
}

/** A request ends with its time, and with the account of the person who made it. */
async function isOpen(db: Database, { expiresAt, askedById }: AccountRequestRow, now: Date): Promise<boolean> {
  if (Date.parse(expiresAt) <= now.getTime()) return false
  return askedById === null || (await users.find(db, askedById)) !== undefined
}

async function expire(tx: Database, request: AccountRequestRow, now: Date): Promise<void> {
  await requests.remove(tx, request.id)
  await recordRequest(tx, expiry, now, 'account_request.expired', request)
}

/** Nobody ends a request whose time is over. */
const expiry: Caller = {
  role: undefined,
  name: 'expiry',
  keyId: undefined,
  userId: undefined,
  sessionId: undefined,
  requestId: ''
}

async function recordRequest(
  tx: Database,
  by: Caller,
  now: Date,
  action: string,
  request: AccountRequestRow
): Promise<void> {
  const { id, change, campaignId, campaignName, iban, ibanBefore, askedBy } = request
  const accounts =
    iban === null
      ? { fields: ['secondPersonForAccounts'] }
      : { accountBefore: ibanBefore === null ? null : maskedIban(ibanBefore), accountAfter: maskedIban(iban) }
  const about =
    campaignId === null
      ? { name: (await site.find(tx)).name }
      : { campaignId, name: campaignName ?? String(campaignId) }
  const details = { change, ...about, ...accounts, ...(by.name === askedBy ? {} : { askedBy }) }
  await record(tx, by, now, action, { subject: 'account_request', id, details })
}

/** One letter for each person who may be the second one. */
async function tellOthers(tx: Database, settings: Settings, { id, askedById }: AccountRequestRow, now: Date) {
  if (settings.smtpUrl === undefined) return
  for (const user of await users.list(tx)) {
    if (!confirmingRoles.includes(user.role) || user.id === askedById) continue
    await postMail(tx, settings, { kind: 'account-requested', about: `${id} ${user.id}`, once: true }, now)
  }
}

/** A person is recorded as `user 5 (Anna)`. */
export function toPlainName(actor: string): string {
  return actor.replace(/^user \d+ \((.*)\)$/s, '$1')
}
