/** Sums of a campaign. */
export interface CampaignSums {
  /** Received. */
  amountTransferred: number
  /** Received and promised. */
  amountDonatedSoFar: number
  /** Collected outside of donations, which the other two do not include. */
  amountOffline: number
  targetAmount: number
}

export interface ProgressParts {
  /** With what was collected offline. */
  received: number
  promised: number
  /** Received share of the target in whole percent, rounded down, so 100 means that it is reached. */
  percent: number
  /** End positions of the two bars, from 0 to 100. */
  receivedEnd: number
  promisedEnd: number
}

/** Separates received money from money that was only promised. */
export function splitProgress(sums: CampaignSums): ProgressParts {
  const offline = toCents(sums.amountOffline)
  const received = toCents(sums.amountTransferred) + offline
  const donated = toCents(sums.amountDonatedSoFar) + offline
  const target = toCents(sums.targetAmount)
  return {
    received: received / 100,
    promised: Math.max(0, donated - received) / 100,
    percent: Math.floor((received * 100) / target),
    receivedEnd: toShare(received, target),
    promisedEnd: toShare(Math.max(donated, received), target)
  }
}

const toCents = (amount: number) => Math.round(amount * 100)

/** At least 1 for any amount above zero, so that the first cent is visible. */
export function toShare(part: number, whole: number): number {
  return part <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((part * 1000) / whole) / 10))
}
