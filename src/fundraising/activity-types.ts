import type { Settings } from '#platform/config.ts'
import { parseUuid } from '#platform/http/paging.ts'
import type { ActivityType } from '#platform/http/service.ts'
import type { CampaignRow } from './campaigns/queries.ts'
import * as campaigns from './campaigns/queries.ts'
import * as updates from './campaigns/updates/queries.ts'
import { forPublic as updateForPublic } from './campaigns/updates/wire.ts'
import * as campaignWire from './campaigns/wire.ts'
import * as donations from './donations/queries.ts'
import { forPublic } from './donations/wire.ts'

/** Activity types of campaigns and donations, with the public representation of each. */
export function createFundraisingActivityTypes(settings: Settings): Record<string, ActivityType> {
  const subjects: Record<string, ActivityType> = {
    campaign: {
      actions: {
        'campaign.created': 'A campaign was created.',
        'campaign.updated': 'A campaign was updated: texts, target, status, dates or account.',
        'campaign.account_changed': 'The bank account of a campaign was changed.',
        'campaign.presentation_updated': 'The contact or the events of a campaign were updated.',
        'campaign.deleted': 'A campaign was deleted (hidden); its donations are kept.',
        'campaign.restored': 'A deleted campaign was restored.'
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
    campaign_update: {
      actions: {
        'campaign_update.created': 'An update of a campaign was created.',
        'campaign_update.updated': 'An update of a campaign was edited, published or withdrawn.',
        'campaign_update.sent': 'An update was sent to the donors who asked for news.',
        'campaign_update.deleted': 'An update of a campaign was deleted.'
      },
      publicActions: ['campaign_update.created', 'campaign_update.updated', 'campaign_update.deleted'],
      readerRoles: ['editor', 'treasurer'],
      serializePublic: async (db, ids) => {
        const rows = await updates.listPublished(db, ids.map(Number).filter(Number.isSafeInteger))
        const shown = await campaigns.listPublished(db, [...new Set(rows.map(row => row.campaignId))])
        const isShown = new Set(shown.map(({ id }) => id))
        return new Map(
          rows.filter(row => isShown.has(row.campaignId)).map(row => [String(row.id), updateForPublic(row)])
        )
      }
    },
    presentation: {
      actions: { 'presentation.updated': 'The default contact or the campaign of the home page was changed.' },
      readerRoles: ['editor', 'treasurer']
    },
    account_request: {
      actions: {
        'account_request.created': 'A change of a bank account was requested; a second person has to confirm it.',
        'account_request.confirmed': 'A second person confirmed a change of a bank account.',
        'account_request.rejected': 'A treasurer or an admin rejected a change of a bank account.',
        'account_request.withdrawn': 'A request to change a bank account was withdrawn.',
        'account_request.expired': 'A request to change a bank account expired, or the user who made it was deleted.'
      },
      readerRoles: ['editor', 'treasurer']
    },
    statement: {
      actions: {
        'statement.received': 'A bank statement was uploaded and is being imported.',
        'statement.imported': 'A bank statement was imported completely.',
        'statement.entry_changed': 'A transaction of a bank statement was assigned, ignored or unassigned.'
      },
      readerRoles: ['treasurer']
    },
    payer_rule: {
      actions: {
        'payer_rule.created': 'A payer rule was created.',
        'payer_rule.deleted': 'A payer rule was deleted.'
      },
      readerRoles: ['treasurer']
    },
    donation: {
      actions: {
        'donation.created':
          'A donation was created by a donor, recorded by a treasurer, or created from a transaction of a bank statement.',
        'donation.held': 'A large donation is held for review; only treasurers are notified.',
        'donation.released':
          'A held donation counts from now on, because a treasurer approved it or its money was received.',
        'donation.updated': 'A donation was updated.',
        'donation.status_changed': 'The status of a donation changed: received, cancelled, failed or refunded.',
        'donation.payment_changed': 'A payment or refund of a donation was recorded without a change of status.',
        'donation.deleted': 'A pending donation was cancelled.',
        'donation.noted': 'A note on a donation was created.',
        'donation.note_removed': 'A note on a donation was deleted.',
        'donation.unsubscribed': 'A donor was unsubscribed from the news about a campaign.',
        'donation.erased': 'The personal data of a donation was erased; the donation itself is kept.',
        'donation.exported': 'Donations were exported.',
        'donation.accounts_lost': 'IBANs that could not be decrypted were discarded.'
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
      actions: { 'mandate.revoked': 'A mandate was revoked.' },
      readerRoles: ['treasurer']
    },
    collection: {
      actions: {
        'collection.made': 'A direct debit batch was created.',
        'collection.downloaded': 'The file of a direct debit batch, which contains IBANs, was downloaded.',
        'collection.submitted': 'A direct debit batch was submitted to the bank.',
        'collection.done': 'A direct debit batch was credited.',
        'collection.cancelled': 'A direct debit batch was cancelled; its donations can be collected again.'
      },
      readerRoles: ['treasurer']
    },
    receipt: {
      actions: {
        'receipt.issued': 'A receipt was issued.',
        'receipt.withdrawn': 'A receipt was withdrawn.',
        'receipt.run_started': 'A receipt run was started.',
        'receipt.run_ended': 'A receipt run has ended or failed.'
      },
      readerRoles: ['treasurer']
    },
    organisation: {
      actions: { 'organisation.updated': 'The legal details of the organisation were updated.' },
      readerRoles: ['treasurer']
    },
    bookkeeping: {
      actions: { 'bookkeeping.updated': 'The bookkeeping account numbers were updated.' },
      readerRoles: ['treasurer']
    },
    donor: {
      actions: {
        'donor.exported': 'The personal data of a donor was exported.',
        'donor.erased': 'The personal data of a donor was erased.',
        'donor.listed': 'The list of donors was exported.',
        'donor.merged': 'Two donors were merged.',
        'donor.merge_undone': 'A merge of two donors was undone.',
        'donor.distinguished': 'Two donors were marked as different people.',
        'donor.noted': 'A note on a donor was created.',
        'donor.note_removed': 'A note on a donor was deleted.',
        'donor.letter_written': 'An annual letter to a donor was created.',
        'donor.letters_started': 'Annual letters to all donors of a year were started.',
        'donor.letter_text_changed': 'The text of annual letters was changed.'
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
