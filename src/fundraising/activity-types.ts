import type { Settings } from '#platform/config.ts'
import { parseUuid } from '#platform/http/paging.ts'
import type { ActivityType } from '#platform/http/service.ts'
import type { CampaignRow } from './campaigns/queries.ts'
import * as campaigns from './campaigns/queries.ts'
import * as campaignWire from './campaigns/wire.ts'
import * as donations from './donations/queries.ts'
import { forPublic } from './donations/wire.ts'

/** Activity types of campaigns and donations, with the public representation of each. */
export function createFundraisingActivityTypes(settings: Settings): Record<string, ActivityType> {
  const subjects: Record<string, ActivityType> = {
    campaign: {
      actions: {
        'campaign.created': 'A campaign was made.',
        'campaign.updated': 'A campaign was changed: its texts, target, state, dates or account.',
        'campaign.account_changed': 'The account that donations to a campaign go to was changed.',
        'campaign.deleted': 'A campaign was deleted, which hides it; its donations stay.',
        'campaign.restored': 'A deleted campaign was brought back.'
      },
      publicActions: [
        'campaign.created',
        'campaign.updated',
        'campaign.account_changed',
        'campaign.deleted',
        'campaign.restored'
      ],
      readerRoles: ['editor', 'treasurer'],
      serializePublic: async (db, ids) => {
        const rows = await campaigns.listPublished(db, ids.map(Number).filter(Number.isSafeInteger))
        return new Map(rows.map(row => [String(row.id), campaignWire.toWire(row, settings.defaultLanguage)]))
      }
    },
    account_request: {
      actions: {
        'account_request.created': 'Somebody requested a change of an account, which a second person has to confirm.',
        'account_request.confirmed': 'A second person confirmed a change of an account.',
        'account_request.rejected': 'A treasurer or an admin rejected a change of an account.',
        'account_request.withdrawn': 'Somebody withdrew their request to change an account.',
        'account_request.expired':
          'A request to change an account ended: nobody confirmed it in time, or whoever made it has no account any more.'
      },
      readerRoles: ['editor', 'treasurer']
    },
    statement: {
      actions: {
        'statement.received': 'A bank statement came, and is being read.',
        'statement.imported': 'All entries of a bank statement are in the books.',
        'statement.entry_changed': 'A treasurer said what an entry of a bank statement is for, or took that back.'
      },
      readerRoles: ['treasurer']
    },
    payer_rule: {
      actions: {
        'payer_rule.created': 'A treasurer said what becomes of the payments of a payer from now on.',
        'payer_rule.deleted': 'A rule for a payer was deleted.'
      },
      readerRoles: ['treasurer']
    },
    donation: {
      actions: {
        'donation.created':
          'Somebody donated, or a treasurer recorded a donation or made it of an entry of a bank statement.',
        'donation.held': 'A large donation waits until a treasurer releases it; nobody else is told of it before.',
        'donation.released':
          'A donation that was held counts from now on, because a treasurer has released it or its money came.',
        'donation.updated': 'What is known of a donation was corrected.',
        'donation.status_changed': 'A donation moved on: the money came, or it was cancelled, failed or refunded.',
        'donation.payment_changed': 'Money arrived for a donation or went back, and its status stayed.',
        'donation.deleted': 'A donation whose money had not come was taken back.',
        'donation.noted': 'A treasurer wrote a note about a donation.',
        'donation.note_removed': 'A note about a donation was removed.',
        'donation.erased': 'Who gave a donation was erased, for good; the donation itself stays.',
        'donation.exported': 'Somebody exported donations.',
        'donation.accounts_lost': 'Account numbers that no key opens any more were given up.'
      },
      publicActions: [
        'donation.created',
        'donation.released',
        'donation.updated',
        'donation.status_changed',
        'donation.payment_changed',
        'donation.erased',
        'donation.deleted'
      ],
      readerRoles: ['treasurer'],
      serializePublic: async (db, ids) => {
        // An export covers all donations, so its subject id is no donation id.
        const rows = await donations.listPublic(
          db,
          ids.flatMap(id => parseUuid(id) ?? [])
        )
        const supported = await campaigns.listPublished(db, [...new Set(rows.map(row => row.campaignId))])
        const campaignOf = new Map(supported.map(row => [row.id, toProgress(row, settings)]))
        return new Map(rows.map(row => [row.id, { ...forPublic(row), campaign: campaignOf.get(row.campaignId) }]))
      }
    },
    mandate: {
      actions: { 'mandate.revoked': 'A donor took back the permission to be debited.' },
      readerRoles: ['treasurer']
    },
    collection: {
      actions: {
        'collection.made': 'Donations were gathered in a file for the bank.',
        'collection.downloaded': 'Somebody took out the file, which has account numbers in it.',
        'collection.submitted': 'The bank has the file.',
        'collection.done': 'The money of a collection came.',
        'collection.cancelled': 'A collection was cancelled; its donations are free again.'
      },
      readerRoles: ['treasurer']
    },
    receipt: {
      actions: {
        'receipt.issued': 'A receipt was issued.',
        'receipt.withdrawn': 'A receipt was withdrawn.',
        'receipt.run_started': 'Receipts for a year began to be issued.',
        'receipt.run_ended': 'All receipts for a year were issued, or it could not go on.'
      },
      readerRoles: ['treasurer']
    },
    organisation: {
      actions: { 'organisation.updated': 'What the organisation says of itself before the law was changed.' },
      readerRoles: ['treasurer']
    },
    bookkeeping: {
      actions: { 'bookkeeping.updated': 'Account numbers of the bookkeeping were changed.' },
      readerRoles: ['treasurer']
    },
    donor: {
      actions: {
        'donor.exported': 'Somebody took out everything that is known of a donor.',
        'donor.erased': 'A donor was erased, for good.'
      },
      readerRoles: ['treasurer']
    }
  }
  return Object.fromEntries(
    Object.entries(subjects).map(([name, subject]) => [name, { ...subject, invalidates: listInvalidatedTags }])
  )
}

/** A donation invalidates its campaign and all lists of campaigns, but no other campaign. */
const listInvalidatedTags: NonNullable<ActivityType['invalidates']> = ({ subject, subjectId, details }) => {
  const campaignId = subject === 'campaign' ? subjectId : (details as { campaignId?: unknown }).campaignId
  return campaignId === undefined ? ['fundraising'] : ['campaigns', `campaign ${campaignId}`]
}

/** Campaign progress, sent along with a donation event because most subscribers need it: saves them a request. */
function toProgress(row: CampaignRow, settings: Settings): object {
  const shown = campaignWire.toWire(row, settings.defaultLanguage)
  const { id, name, amountDonatedSoFar, amountTransferred, targetAmount, progressPercent } = shown
  const { donationCount, currency } = shown
  return { id, name, amountDonatedSoFar, amountTransferred, targetAmount, progressPercent, donationCount, currency }
}
