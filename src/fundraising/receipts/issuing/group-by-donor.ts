import type { Address } from '../../money/address.ts'
import type { Claim } from '../claims.ts'
import type { ReceiptCandidate } from './eligible-payments.ts'

/**
 * Groups donations by donor. A receipt names one person, so the name must be the same apart from case and accents; and
 * because many people share a name, so must the e-mail address, the account or the postal address. The name alone could
 * give someone a stranger's receipt, and an account alone can belong to both spouses.
 */
export function groupByDonor(donations: ReceiptCandidate[]): ReceiptCandidate[][] {
  const groups: { marks: Set<string>; donations: ReceiptCandidate[] }[] = []
  for (const candidate of donations) {
    const marks = new Set(listIdentityKeys(candidate))
    const same = groups.filter(group => [...marks].some(mark => group.marks.has(mark)))
    const [first] = same
    if (first === undefined) {
      groups.push({ marks, donations: [candidate] })
      continue
    }
    // This donation can connect groups that looked like different people.
    for (const mark of marks) first.marks.add(mark)
    first.donations.push(candidate)
    for (const other of same.slice(1)) {
      for (const mark of other.marks) first.marks.add(mark)
      first.donations.push(...other.donations)
      groups.splice(groups.indexOf(other), 1)
    }
  }
  return groups.map(group => group.donations.sort(compareByDay))
}

/** The identifiers of a person; a donation without any counts as a person of its own. */
function listIdentityKeys(candidate: ReceiptCandidate): string[] {
  const { donorSearch, email, ibanFingerprint } = candidate
  const address = getAddress(candidate)
  const known = [
    email === null ? [] : [`email ${email.toLowerCase()}`],
    ibanFingerprint === null ? [] : [`account ${ibanFingerprint.toString('hex')}`],
    address === undefined ? [] : [toAddressKey(address)]
  ].flat()
  return (known.length === 0 ? [`donation ${candidate.id}`] : known).map(mark => `${donorSearch ?? ''} ${mark}`)
}

const toAddressKey = ({ street, postalCode, city, country }: Address) =>
  `address ${normalizeParts([street, postalCode, city, country])}`

const normalizeParts = (parts: string[]) =>
  parts
    .map(part =>
      part
        .toLowerCase()
        .replace(/[\s.]+/g, ' ')
        .trim()
    )
    .join('\n')

function compareByDay(one: ReceiptCandidate, other: ReceiptCandidate): number {
  const [first, second] = [one.receivedOn ?? '', other.receivedOn ?? '']
  if (first === second) return one.id < other.id ? -1 : 1
  return first < second ? -1 : 1
}

/** Whether a receipt belongs to this donor: it certifies one of their donations, or has their address. */
export function isOwnClaim({ donationIds, address }: Claim, own: ReceiptCandidate[]): boolean {
  const home = toAddressKey(address)
  return own.some(one => {
    const known = getAddress(one)
    return donationIds.includes(one.id) || (known !== undefined && toAddressKey(known) === home)
  })
}

export function getAddress({ street, postalCode, city, country }: ReceiptCandidate): Address | undefined {
  if (street === null || postalCode === null || city === null || country === null) return undefined
  return { street, postalCode, city, country }
}
