import type { Database } from '#platform/database/database.ts'
import { decryptIban, type EncryptionKeys, listIbanFingerprints } from '../../../encryption/iban-encryption.ts'
import { findCampaignReference } from '../../../money/reference.ts'
import * as rules from '../../payer-rules/queries.ts'
import type { EntryRow } from '../entry-queries.ts'
import { findLargestCampaign } from '../matching/queries.ts'
import type { SuggestedBy } from '../schema.ts'
import { listCampaignsForMoney, listEarlierCampaigns, type SuggestedCampaign } from './payer-queries.ts'

type Payment = Pick<EntryRow, 'id' | 'direction' | 'result' | 'text' | 'endToEndId' | 'currency' | 'encryptedIban'>

export const canBecomeDonation = ({ direction, result }: Pick<EntryRow, 'direction' | 'result'>) =>
  direction === 'in' && (result === 'unmatched' || result === 'suggested')

/** The fingerprints of a payer's IBAN with every known key. */
export function getPayerFingerprints(
  settings: EncryptionKeys,
  { encryptedIban }: Pick<EntryRow, 'encryptedIban'>
): Buffer[] {
  return encryptedIban === null ? [] : listIbanFingerprints(settings, decryptIban(settings, encryptedIban))
}

/**
 * The suggested campaign per entry id, for entries that can become a donation: named by a reference in the text, by a
 * rule for the payer, or by the payer's last donation. The text comes first, because it is what the payer wants this
 * time.
 */
export async function listSuggestedCampaigns(
  db: Database,
  settings: EncryptionKeys,
  entries: Payment[]
): Promise<Map<string, SuggestedCampaign>> {
  const open = entries.filter(canBecomeDonation).map(entry => ({
    entry,
    keys: getPayerFingerprints(settings, entry).map(fingerprint => fingerprint.toString('hex'))
  }))
  if (open.length === 0) return new Map()
  const fingerprints = [...new Set(open.flatMap(({ keys }) => keys))].map(key => Buffer.from(key, 'hex'))
  const [largest, foundRules, earlier] = await Promise.all([
    findLargestCampaign(db),
    rules.listByFingerprints(db, fingerprints),
    listEarlierCampaigns(db, fingerprints)
  ])
  const wanted = open.map(({ entry, keys }) => {
    const rule = foundRules.find(
      ({ action, ibanFingerprint }) =>
        action === 'campaign' && ibanFingerprint !== null && keys.includes(ibanFingerprint.toString('hex'))
    )
    const named = findCampaignReference(`${entry.text}\n${entry.endToEndId ?? ''}`, largest)
    const before = earlier.find(({ fingerprint }) => keys.includes(fingerprint.toString('hex')))
    const ways: { id: number | null | undefined; by: SuggestedBy; ruleId: string | null }[] = [
      { id: named, by: 'reference', ruleId: null },
      { id: rule?.campaignId, by: 'rule', ruleId: rule?.id ?? null },
      { id: before?.campaignId, by: 'earlier', ruleId: null }
    ]
    return { entry, ways }
  })
  const ids = wanted.flatMap(({ ways }) => ways.flatMap(({ id }) => id ?? []))
  const campaigns = new Map((await listCampaignsForMoney(db, [...new Set(ids)])).map(one => [one.id, one]))
  return new Map(
    wanted.flatMap(({ entry, ways }) => {
      const found = ways.flatMap(({ id, ...way }): SuggestedCampaign[] => {
        const campaign = id == null ? undefined : campaigns.get(id)
        return campaign?.currency === entry.currency ? [{ id: campaign.id, name: campaign.name, ...way }] : []
      })
      return found[0] === undefined ? [] : [[entry.id, found[0]]]
    })
  )
}
