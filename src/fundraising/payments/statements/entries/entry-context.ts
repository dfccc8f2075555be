import type { Database } from '#platform/database/database.ts'
import * as payments from '../../../donations/payments/queries.ts'
import type { EncryptionKeys } from '../../../encryption/iban-encryption.ts'
import * as collections from '../../direct-debit/collections/queries.ts'
import * as rules from '../../payer-rules/queries.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as statements from '../queries.ts'
import { countOpenByFingerprint, type EntryContext } from './payer-queries.ts'
import { canBecomeDonation, getPayerFingerprints, listSuggestedCampaigns } from './suggested-campaign.ts'

export async function loadContext(db: Database, settings: EncryptionKeys, rows: EntryRow[]): Promise<EntryContext> {
  const [booked, campaigns, openOfPayer, foundRules, foundCollections] = await Promise.all([
    payments.listOfEntries(
      db,
      rows.filter(({ donationId }) => donationId !== null)
    ),
    listSuggestedCampaigns(db, settings, rows),
    countOpen(db, settings, rows),
    rules.listByIds(
      db,
      rows.flatMap(({ ruleId }) => ruleId ?? [])
    ),
    collections.listByIds(
      db,
      rows.flatMap(({ collectionId }) => collectionId ?? [])
    )
  ])
  const wanted = [
    ...rows.flatMap(({ campaignId, donationId, suggestions }) =>
      campaignId === null || donationId === null ? suggestions : [{ campaignId, id: donationId }]
    ),
    ...booked.map(({ campaignId, donationId }) => ({ campaignId, id: donationId }))
  ]
  const unique = new Map(wanted.map(one => [`${one.campaignId} ${one.id}`, one]))
  const found = await statements.listDonations(db, [...unique.values()])
  return {
    donations: new Map(found.map(donation => [`${donation.campaignId} ${donation.id}`, donation])),
    payments: booked,
    campaigns,
    openOfPayer,
    rules: new Map(foundRules.map(rule => [rule.id, rule])),
    collections: new Map(foundCollections.map(collection => [collection.id, collection]))
  }
}

/** The number of unmatched payments of the same payer, including the entry itself. */
async function countOpen(db: Database, settings: EncryptionKeys, rows: EntryRow[]): Promise<Map<string, number>> {
  const open = rows.filter(canBecomeDonation).map(row => ({
    row,
    keys: getPayerFingerprints(settings, row).map(fingerprint => fingerprint.toString('hex'))
  }))
  const fingerprints = [...new Set(open.flatMap(({ keys }) => keys))].map(key => Buffer.from(key, 'hex'))
  const counts = new Map(
    (await countOpenByFingerprint(db, fingerprints)).map(one => [one.fingerprint.toString('hex'), one.count])
  )
  return new Map(
    open.map(({ row, keys }) => {
      const unmatched = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
      const isCounted = row.result === 'unmatched' && keys.length > 0
      return [row.id, unmatched + (isCounted ? 0 : 1)]
    })
  )
}
