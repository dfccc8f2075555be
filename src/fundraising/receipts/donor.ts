import type { Address } from '../address.ts'
import type { Candidate } from './candidates.ts'
import type { Claim } from './claims.ts'

/**
 * Sorts donations by who gave them. A receipt is in one person's name, so the name must be the same, apart from case and
 * accents; and something else with it, as many people share a name: the e-mail address, the account, or where they live.
 * The name alone would give somebody a stranger's receipt, an account alone one that is of both spouses.
 */
export function byDonor(donations: Candidate[]): Candidate[][] {
  const groups: { marks: Set<string>; donations: Candidate[] }[] = []
  for (const candidate of donations) {
    const marks = new Set(marksOf(candidate))
    const same = groups.filter(group => [...marks].some(mark => group.marks.has(mark)))
    const [first] = same
    if (first === undefined) {
      groups.push({ marks, donations: [candidate] })
      continue
    }
    // This one may be what two that were taken for different people have in common.
    for (const mark of marks) first.marks.add(mark)
    first.donations.push(candidate)
    for (const other of same.slice(1)) {
      for (const mark of other.marks) first.marks.add(mark)
      first.donations.push(...other.donations)
      groups.splice(groups.indexOf(other), 1)
    }
  }
  return groups.map(group => group.donations.sort(byDay))
}

/** What a person is known by; a donation that says nothing is of somebody else each time. */
function marksOf(candidate: Candidate): string[] {
  const { donorSearch, email, accountPrint } = candidate
  const address = addressOf(candidate)
  const known = [
    email === null ? [] : [`email ${email.toLowerCase()}`],
    accountPrint === null ? [] : [`account ${accountPrint.toString('hex')}`],
    address === undefined ? [] : [addressMark(address)]
  ].flat()
  return (known.length === 0 ? [`donation ${candidate.id}`] : known).map(mark => `${donorSearch ?? ''} ${mark}`)
}

const addressMark = ({ street, postalCode, city, country }: Address) =>
  `address ${folded([street, postalCode, city, country])}`

const folded = (parts: string[]) =>
  parts
    .map(part =>
      part
        .toLowerCase()
        .replace(/[\s.]+/g, ' ')
        .trim()
    )
    .join('\n')

function byDay(one: Candidate, other: Candidate): number {
  const [first, second] = [one.receivedOn ?? '', other.receivedOn ?? '']
  if (first === second) return one.id < other.id ? -1 : 1
  return first < second ? -1 : 1
}

/** Whether a receipt is in this donor's name: it certifies something of the same donor, or was sent to where the donor lives. */
export function isClaimOf({ donationIds, address }: Claim, own: Candidate[]): boolean {
  const home = addressMark(address)
  return own.some(one => {
    const known = addressOf(one)
    return donationIds.includes(one.id) || (known !== undefined && addressMark(known) === home)
  })
}

export function addressOf({ street, postalCode, city, country }: Candidate): Address | undefined {
  if (street === null || postalCode === null || city === null || country === null) return undefined
  return { street, postalCode, city, country }
}
