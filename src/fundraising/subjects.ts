import type { Settings } from '#platform/config.ts'
import { uuidIn } from '#platform/paging.ts'
import type { Subject } from '#platform/service.ts'
import type { CampaignRow } from './campaigns/queries.ts'
import * as campaigns from './campaigns/queries.ts'
import * as campaignWire from './campaigns/wire.ts'
import * as donations from './donations/queries.ts'
import { forPublic } from './donations/wire.ts'

/** What happens to campaigns and donations, and what anybody may read of them. */
export function fundraisingSubjects(settings: Settings): Record<string, Subject> {
  return {
    campaign: {
      actions: {
        'campaign.created': 'A campaign was made.',
        'campaign.updated': 'A campaign was changed: its texts, target, state, dates or account.',
        'campaign.deleted': 'A campaign was deleted, which hides it; its donations stay.',
        'campaign.restored': 'A deleted campaign was brought back.'
      },
      publicActions: ['campaign.created', 'campaign.updated', 'campaign.deleted', 'campaign.restored'],
      readers: ['editor', 'treasurer'],
      represent: async (db, ids) => {
        const rows = await campaigns.listPublished(db, ids.map(Number).filter(Number.isSafeInteger))
        return new Map(rows.map(row => [String(row.id), campaignWire.toWire(row, settings.defaultLanguage)]))
      }
    },
    donation: {
      actions: {
        'donation.created': 'Somebody donated, or a treasurer recorded a donation.',
        'donation.updated': 'What is known of a donation was corrected.',
        'donation.status_changed': 'A donation moved on: the money came, or it was cancelled, failed or refunded.',
        'donation.deleted': 'A donation whose money had not come was taken back.',
        'donation.noted': 'A treasurer wrote a note about a donation.',
        'donation.note_removed': 'A note about a donation was removed.',
        'donation.exported': 'Somebody exported donations.'
      },
      publicActions: ['donation.created', 'donation.updated', 'donation.status_changed', 'donation.deleted'],
      readers: ['treasurer'],
      represent: async (db, ids) => {
        // An export is about all of them, and has no id of any.
        const rows = await donations.listPublic(
          db,
          ids.flatMap(id => uuidIn(id) ?? [])
        )
        const supported = await campaigns.listPublished(db, [...new Set(rows.map(row => row.campaignId))])
        const campaignOf = new Map(supported.map(row => [row.id, progressOf(row, settings)]))
        return new Map(rows.map(row => [row.id, { ...forPublic(row), campaign: campaignOf.get(row.campaignId) }]))
      }
    }
  }
}

/** How far a campaign has come with a donation: whoever hears of one mostly wants to know, and need not ask. */
function progressOf(row: CampaignRow, settings: Settings): object {
  const { id, name, amountDonatedSoFar, targetAmount, progressPercent, donationCount, currency } = campaignWire.toWire(
    row,
    settings.defaultLanguage
  )
  return { id, name, amountDonatedSoFar, targetAmount, progressPercent, donationCount, currency }
}
