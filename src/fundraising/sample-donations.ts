import * as samples from '#platform/activity/sample-queries.ts'
import type { Database } from '#platform/database/database.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** The ids among the given donations that are sample content: fictitious, or made to a sample campaign. */
export async function findSampleDonations(db: Database, donations: DonationKey[]): Promise<Set<string>> {
  const things = donations.flatMap(({ campaignId, id }) => [
    { kind: 'donation', id },
    { kind: 'campaign', id: String(campaignId) }
  ])
  const marked = new Set((await samples.listAmong(db, things)).map(({ kind, id }) => `${kind} ${id}`))
  const isSample = ({ campaignId, id }: DonationKey) =>
    marked.has(`donation ${id}`) || marked.has(`campaign ${campaignId}`)
  return new Set(donations.filter(isSample).map(({ id }) => id))
}

/** All campaigns and donations marked as samples. */
export async function listSamples(db: Database): Promise<{ campaigns: number[]; donations: string[] }> {
  const [campaigns, donations] = await Promise.all([samples.listIds(db, 'campaign'), samples.listIds(db, 'donation')])
  return { campaigns: campaigns.map(Number), donations }
}
