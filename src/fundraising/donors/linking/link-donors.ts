import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { decryptIban, type EncryptionKeys } from '../../encryption/iban-encryption.ts'
import type { DonorIdentity, DonorLink, UnlinkedDonation } from './queries.ts'
import * as linking from './queries.ts'
import { unlinkDonations } from './unlink.ts'

/** Donations per transaction, and transactions per run; the rest waits for the next run. */
const batchSize = 500
const roundsMax = 200
/** A rest is that many times as long as the batch before it. The donations of a busy minute are linked in half a minute. */
const restFactor = 3
/** A transaction can commit later than others that began after it, and clocks of several machines differ. */
const overlapSeconds = 60
/** Once a day all donations are read again, because imports and restored backups insert old ones, and clocks may differ by more. */
const fullReadSeconds = 86_400

interface LinkOptions {
  now?: Date
  stopping?: AbortSignal
  rounds?: number
  /** Rests after each batch, so that visitors wait less while many donations are linked. */
  isPaced?: boolean
}

/**
 * Links donations with their donors, in batches. Donations are linked after they were made, so that a new donation
 * costs no more. Does nothing while another process does it.
 */
export async function linkDonors(
  db: Database,
  settings: EncryptionKeys,
  { now = new Date(), stopping, rounds = roundsMax, isPaced = false }: LinkOptions = {}
): Promise<number> {
  let count = 0
  for (let round = 0; round < rounds && stopping?.aborted !== true; round += 1) {
    const startedAtMs = performance.now()
    // What was committed late is found by the first round of this run or of a later one.
    const overlap = round === 0 ? overlapSeconds : 0
    const linked = await db.transaction(async tx => await linkBatch(tx, settings, now, overlap))
    count += linked
    if (linked < batchSize) break
    if (isPaced) await sleep(restFactor * (performance.now() - startedAtMs))
  }
  return count
}

async function linkBatch(tx: Database, settings: EncryptionKeys, now: Date, overlap: number): Promise<number> {
  const progress = await linking.lockProgress(tx, now, fullReadSeconds)
  if (progress === undefined) return 0
  if (progress.isFullRead) await unlinkDonations(tx, await linking.listErased(tx, batchSize))
  const { isRecent, readTo: after } = progress
  const found = await linking.listUnlinked(tx, { isRecent, after, overlapSeconds: overlap, rows: batchSize })
  await linkDonations(tx, settings, found, now)
  const last = found.length < batchSize ? undefined : found.at(-1)
  await linking.updateProgress(tx, { ...progress, readTo: last?.moment ?? (await linking.findNewestMoment(tx)) })
  return found.length
}

async function linkDonations(
  tx: Database,
  settings: EncryptionKeys,
  found: UnlinkedDonation[],
  now: Date
): Promise<void> {
  if (found.length === 0) return
  const similar = await linking.listSimilar(tx, {
    byEmail: pickDistinct(
      found.flatMap(({ name, email }) => (email === null ? [] : { name, email })),
      ({ name, email }) => `${name}\n${email}`
    ),
    byAccount: pickDistinct(
      found.flatMap(({ name, fingerprint }) => (fingerprint === null ? [] : { name, fingerprint })),
      ({ name, fingerprint }) => `${name}\n${fingerprint.toString('hex')}`
    ),
    names: [...new Set(found.flatMap(({ name, street }) => (street === null ? [] : name)))]
  })
  const donorOf = new Map<string, string>()
  const remember = (identity: DonorIdentity, donorId: string) => {
    for (const key of listKeys(identity)) if (!donorOf.has(key)) donorOf.set(key, donorId)
  }
  for (const { donorId, ...identity } of similar) remember(identity, donorId)
  const created: string[] = []
  const links = found.map((donation): DonorLink => {
    const known = listKeys(donation).find(key => donorOf.has(key))
    const donorId = (known === undefined ? undefined : donorOf.get(known)) ?? newUuidV7(now.getTime())
    if (known === undefined) created.push(donorId)
    remember(donation, donorId)
    const { campaignId, id, encryptedIban } = donation
    const ibanEnd = encryptedIban === null ? null : decryptIban(settings, encryptedIban).slice(-4)
    return { campaignId, id, donorId, ibanEnd }
  })
  await linking.insertDonors(tx, created, now)
  await linking.insertLinks(tx, links)
}

function pickDistinct<Item>(items: Item[], getKey: (item: Item) => string): Item[] {
  return [...new Map(items.map(item => [getKey(item), item])).values()]
}

/**
 * The same name, and the same email address, account or postal address: as for collective receipts, because many people
 * share a name, and families share the others. The email address counts first.
 */
function listKeys({ name, email, fingerprint, street, postalCode, city, country }: DonorIdentity): string[] {
  const parts = [street, postalCode, city, country]
  return [
    ...(email === null ? [] : [`${name}\nemail ${email}`]),
    ...(fingerprint === null ? [] : [`${name}\naccount ${fingerprint.toString('hex')}`]),
    ...(street === null ? [] : [`${name}\naddress ${parts.map(normalizePart).join('\n')}`])
  ]
}

function normalizePart(part: string | null): string {
  return (part ?? '')
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
}
