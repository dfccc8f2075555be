/** A donation selected in a list. */
export interface DonationRef {
  campaignId: number
  id: string
  /** Version when the page was rendered; the API refuses the change if it is newer now. */
  version?: number
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const refPattern = new RegExp(`^([1-9]\\d{0,14}) (${uuid})(?: ([1-9]\\d{0,8}))?$`)

/** Parses the value of a row's checkbox or button: campaign, donation and, after a confirmation, the version. */
export function parseDonationRefs(value: string): DonationRef[] {
  const [, campaign, id, version] = refPattern.exec(value) ?? []
  if (campaign === undefined || id === undefined) return []
  return [{ campaignId: Number(campaign), id, ...(version === undefined ? {} : { version: Number(version) }) }]
}

/** An ETag of the API starts with the version, which increases by one with every change. */
export function parseVersion(etag: string): number | undefined {
  const version = /^(?:W\/)?"([1-9]\d{0,8})(?:-|")/.exec(etag)?.[1]
  return version === undefined ? undefined : Number(version)
}
