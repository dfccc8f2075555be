/** A donation that was chosen in a list. */
export interface DonationRef {
  campaignId: number
  id: string
  /** As it was when it was looked at; what has changed since is refused. */
  version?: number
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const refPattern = new RegExp(`^([1-9]\\d{0,14}) (${uuid})(?: ([1-9]\\d{0,8}))?$`)

/** What a box or a button of a row sends: the campaign and the donation, and after a question its version. */
export function parseDonationRefs(value: string): DonationRef[] {
  const [, campaign, id, version] = refPattern.exec(value) ?? []
  if (campaign === undefined || id === undefined) return []
  return [{ campaignId: Number(campaign), id, ...(version === undefined ? {} : { version: Number(version) }) }]
}

/** The version that a tag of the API begins with; it counts up by one with every change. */
export function parseVersion(etag: string): number | undefined {
  const version = /^(?:W\/)?"([1-9]\d{0,8})(?:-|")/.exec(etag)?.[1]
  return version === undefined ? undefined : Number(version)
}
