/** What there is to know of a campaign's money. */
export interface CampaignSums {
  /** Received. */
  amountTransferred: number
  /** Received and promised. */
  amountDonatedSoFar: number
  targetAmount: number
}

export interface ProgressParts {
  promised: number
  /** Of the target, received; whole, and 100 only when it is reached. */
  percent: number
  /** How far the two parts of the bar reach, from its beginning, of 100. */
  receivedEnd: number
  promisedEnd: number
}

/** Money that was received and money that was only promised are two things. */
export function splitProgress({ amountTransferred, amountDonatedSoFar, targetAmount }: CampaignSums): ProgressParts {
  const [received, donated, target] = [amountTransferred, amountDonatedSoFar, targetAmount].map(toCents) as [
    number,
    number,
    number
  ]
  return {
    promised: Math.max(0, donated - received) / 100,
    percent: Math.floor((received * 100) / target),
    receivedEnd: toShare(received, target),
    promisedEnd: toShare(Math.max(donated, received), target)
  }
}

const toCents = (amount: number) => Math.round(amount * 100)

/** The first cent can be seen, and what is not there cannot. */
function toShare(part: number, whole: number): number {
  return part <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((part * 1000) / whole) / 10))
}
