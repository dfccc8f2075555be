/** A donation, with the campaign that it belongs to. */
export interface DonationKey {
  campaignId: number
  id: string
}

/**
 * The ids of donations by campaign, in the order of campaigns. For statements that lock rows: one for each campaign,
 * because Citus locks rows on one node per statement.
 */
export function groupByCampaign(donations: DonationKey[]): { campaignId: number; ids: string[] }[] {
  const ids = new Map<number, string[]>()
  for (const { campaignId, id } of donations) {
    const known = ids.get(campaignId)
    if (known === undefined) ids.set(campaignId, [id])
    else known.push(id)
  }
  return [...ids]
    .map(([campaignId, ids]) => ({ campaignId, ids }))
    .sort((one, other) => one.campaignId - other.campaignId)
}
