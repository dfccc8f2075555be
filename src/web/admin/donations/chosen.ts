/** A donation that was chosen in a list. */
export interface Chosen {
  campaignId: number
  id: string
}

/** What a box or a button of a row sends: the campaign and the donation. */
export function chosenIn(value: string): Chosen[] {
  const [, campaign, id] = /^([1-9]\d{0,14}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value) ?? []
  return campaign === undefined || id === undefined ? [] : [{ campaignId: Number(campaign), id }]
}
