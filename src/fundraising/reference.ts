import { randomInt } from 'node:crypto'

/**
 * No two of these look or sound alike when written by hand (no 0 O Q, 1 I L, 2 Z, 5 S, 8 B, V U), and there are 23:
 * with a prime number the check character finds every single wrong character and every swap of two neighbours.
 */
const alphabet = 'ACDEFGHJKMNPRTUWXY34679'
const base = alphabet.length
const randomLength = 7

/**
 * What a donor writes on the transfer, such as `AC-7KXM-3PFT`: the campaign's number, seven characters by chance, and a
 * check character. Unique within the campaign by the database, and over all campaigns because it begins with the campaign.
 */
export function newReference(campaignId: number): string {
  const chance = Array.from({ length: randomLength }, () => alphabet[randomInt(base)]).join('')
  const text = campaignPart(campaignId) + chance
  const all = text + checkCharacter(text)
  return `${all.slice(0, -8)}-${all.slice(-8, -4)}-${all.slice(-4)}`
}

/** The reference in its usual form if its check character fits; small letters, blanks and missing hyphens are forgiven. */
export function readReference(text: string): string | undefined {
  const all = text.toUpperCase().replace(/[\s-]+/g, '')
  const known = all.length >= 2 + randomLength + 1 && [...all].every(character => alphabet.includes(character))
  if (!known || checkCharacter(all.slice(0, -1)) !== all.at(-1)) return undefined
  return `${all.slice(0, -8)}-${all.slice(-8, -4)}-${all.slice(-4)}`
}

/** The number of the campaign that a reference in its usual form begins with. */
export function campaignIn(reference: string): number {
  let id = 0
  for (const character of reference.slice(0, reference.indexOf('-'))) id = id * base + alphabet.indexOf(character)
  // One that is too long names no campaign.
  return Number.isSafeInteger(id) ? id : 0
}

function campaignPart(id: number): string {
  let text = ''
  for (let rest = id; rest > 0; rest = Math.floor(rest / base)) text = alphabet.charAt(rest % base) + text
  return text.padStart(2, alphabet.charAt(0))
}

/** Weights by place, counted from the end: neighbours differ, and none is a multiple of the base. */
function checkCharacter(text: string): string {
  let sum = 0
  for (let place = 0; place < text.length; place += 1) {
    const weight = ((place + 1) % (base - 1)) + 1
    sum += weight * alphabet.indexOf(text.charAt(text.length - 1 - place))
  }
  return alphabet.charAt((base - (sum % base)) % base)
}
