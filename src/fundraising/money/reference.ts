import { randomInt } from 'node:crypto'

/**
 * No two of these look or sound alike when written by hand (no 0 O Q, 1 I L, 2 Z, 5 S, 8 B, V U), and there are 23:
 * with a prime number the check character finds every single wrong character and every swap of two neighbours.
 */
const alphabet = 'ACDEFGHJKMNPRTUWXY34679'
const base = alphabet.length
const randomLength = 7
/** Of what a campaign's number is not part. */
const tailLength = randomLength + 1

/**
 * What a donor writes on the transfer, such as `AC-7KXM-3PFT`: the campaign's number, seven characters by chance, and a
 * check character. Unique within the campaign by the database, and over all campaigns because it begins with the campaign.
 */
export function newReference(campaignId: number): string {
  const chance = Array.from({ length: randomLength }, () => alphabet[randomInt(base)]).join('')
  return chance === campaignMark ? newReference(campaignId) : appendCheck(campaignId, chance)
}

/**
 * In place of the seven characters by chance: no word that people write, as "CAMPAGNE" would be, and recognisable for a treasurer.
 * No donation has it.
 */
const campaignMark = 'CAMP333'

/** What a transfer says that is for a campaign and for no donation, as from a poster, such as `AC-CAMP-3337`. */
export function toCampaignReference(campaignId: number): string {
  return appendCheck(campaignId, campaignMark)
}

/** Does a reference in its usual form name a campaign, not a donation? */
export function isCampaignReference(reference: string): boolean {
  return reference.replaceAll('-', '').slice(-tailLength, -1) === campaignMark
}

/**
 * The campaign that a text names by its reference, written in any way that `listReferences` understands. Undefined where it names none,
 * or several.
 */
export function findCampaignReference(text: string, largestCampaign: number): number | undefined {
  const found = findReferences(text, largestCampaign).filter(isCampaignReference)
  // Behind a word without a blank, letters of the word can pass for a part of the campaign's number: "SpendeAC-CAMP-3337".
  const separate = found.length > 1 ? found.filter(reference => beginsWord(text, reference)) : found
  // Where each character stands alone, the end of a campaign's number can pass for another number.
  const [only, ...others] = separate.filter(one => !separate.some(other => other !== one && other.endsWith(one)))
  return only === undefined || others.length > 0 ? undefined : parseCampaignId(only)
}

function beginsWord(text: string, reference: string): boolean {
  const spread = [...reference.replaceAll('-', '')].join('[^\\p{L}\\p{N}]*')
  return new RegExp(`(?<![\\p{L}\\p{N}])${spread}`, 'u').test(text.toUpperCase())
}

/** The reference in its usual form if its check character fits; small letters, blanks and missing hyphens are forgiven. */
export function parseReference(text: string): string | undefined {
  const all = text.toUpperCase().replace(/[\s-]+/g, '')
  return all.length >= lengthMin && computeChecksum(all) === 0 ? formatReference(all) : undefined
}

/** The number of the campaign that a reference in its usual form begins with. */
export function parseCampaignId(reference: string): number {
  let id = 0
  for (const character of reference.slice(0, reference.indexOf('-'))) id = id * base + alphabet.indexOf(character)
  // One that is too long names no campaign.
  return Number.isSafeInteger(id) ? id : 0
}

/**
 * Every reference that stands anywhere in a text, in its usual form: in small letters, with blanks, hyphens or line breaks inside,
 * or glued to other words. Some only look like one by chance, so look them up. `largestCampaign` is the largest number that a
 * campaign has.
 */
export function findReferences(text: string, largestCampaign: number): string[] {
  const found = new Set<string>()
  const lengthMax = getLengthMax(largestCampaign)
  for (const run of splitIntoRuns(text)) {
    for (let start = 0; start + lengthMin <= run.length; start += 1) {
      for (let length = lengthMin; length <= lengthMax && start + length <= run.length; length += 1) {
        const all = run.slice(start, start + length)
        if (computeChecksum(all) === 0 && isOfCampaign(all, largestCampaign)) found.add(formatReference(all))
      }
    }
  }
  return [...found]
}

/** So many of each text: more would be a text made to keep us busy. */
const nearMax = 200
/** The words that one reference can be written in: each of its groups may be cut once. */
const wordsMax = 6

/**
 * What a text may have meant where one character of a reference is wrong, missing or too much, or two neighbours are swapped. The
 * check character leaves one possibility for each place, so there are few, and most of them no donation has.
 */
export function findNearReferences(text: string, largestCampaign: number): string[] {
  const found = new Set<string>()
  const lengthMax = getLengthMax(largestCampaign)
  for (const written of listTokens(text, lengthMin - 1, lengthMax + 1)) {
    for (let length = Math.max(lengthMin, written.length - 1); length <= lengthMax; length += 1) {
      if (length > written.length + 1) break
      for (const all of listOneEditAway(written, length)) {
        if (!isOfCampaign(all, largestCampaign)) continue
        found.add(formatReference(all))
        if (found.size === nearMax) return [...found]
      }
    }
  }
  return [...found]
}

const lengthMin = 2 + tailLength
const getLengthMax = (campaignId: number) => encodeCampaignId(campaignId).length + tailLength
const appendCheck = (campaignId: number, tail: string) => {
  const text = encodeCampaignId(campaignId) + tail
  return formatReference(text + computeCheckCharacter(text))
}
const formatReference = (all: string) => `${all.slice(0, -8)}-${all.slice(-8, -4)}-${all.slice(-4)}`

/** No reference of ours begins with another spelling of a campaign's number. */
function isOfCampaign(all: string, largestCampaign: number): boolean {
  const id = parseCampaignId(formatReference(all))
  return id >= 1 && id <= largestCampaign && encodeCampaignId(id) === all.slice(0, -tailLength)
}

/** What is left of a text without blanks and punctuation, in pieces of characters that references are made of. */
function splitIntoRuns(text: string): string[] {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .split(/[^ACDEFGHJKMNPRTUWXY34679]+/)
    .filter(run => run.length >= lengthMin)
}

/**
 * Words, and neighbouring words together, that are as long as a reference. Most of what people write are words without digits: such
 * count only where they are cut as we cut references, or where they are one word of our characters.
 */
function listTokens(text: string, shortest: number, longest: number): Set<string> {
  const words = text.toUpperCase().match(/[A-Z0-9]+/g) ?? []
  const tokens = new Set<string>()
  for (const start of words.keys()) {
    let token = ''
    for (let count = 1; count <= wordsMax && start + count <= words.length; count += 1) {
      token += words[start + count - 1]
      if (token.length > longest) break
      if (token.length < shortest) continue
      const isCutLikeOne =
        count === 3 && words.slice(start + 1, start + 3).every(word => Math.abs(word.length - 4) <= 1)
      // One character in six is a digit, so some references have none; hardly any word does without the letters that we leave out.
      const isOneWord = count === 1 && token.replace(/[ACDEFGHJKMNPRTUWXY34679]/g, '').length <= 1
      if (isCutLikeOne || isOneWord || (/\d/.test(token) && /[A-Z]/.test(token))) tokens.add(token)
    }
  }
  return tokens
}

/** All that have this length, fit their check character, and differ from what is written in one step. */
function listOneEditAway(written: string, length: number): string[] {
  const found: string[] = []
  if (written.length === length) {
    if (computeChecksum(written) === 0) return []
    for (let place = 0; place < length; place += 1) {
      found.push(...insertCheckedCharacter(written.slice(0, place), written.slice(place + 1)))
      const swapped =
        written.slice(0, place) + written.charAt(place + 1) + written.charAt(place) + written.slice(place + 2)
      if (place + 1 < length && computeChecksum(swapped) === 0) found.push(swapped)
    }
  } else if (written.length === length - 1) {
    for (let place = 0; place < length; place += 1)
      found.push(...insertCheckedCharacter(written.slice(0, place), written.slice(place)))
  } else {
    for (let place = 0; place < written.length; place += 1) {
      const without = written.slice(0, place) + written.slice(place + 1)
      if (computeChecksum(without) === 0) found.push(without)
    }
  }
  return found
}

/** The one character between the two that makes the check character fit; none if either has one that is not ours. */
function insertCheckedCharacter(start: string, end: string): string[] {
  const rest = computeChecksum(`${start}${alphabet.charAt(0)}${end}`)
  if (Number.isNaN(rest)) return []
  const weight = getWeight(end.length)
  for (const [index, character] of [...alphabet].entries()) {
    if ((rest + weight * index) % base === 0) return [`${start}${character}${end}`]
  }
  return []
}

function encodeCampaignId(id: number): string {
  let text = ''
  for (let rest = id; rest > 0; rest = Math.floor(rest / base)) text = alphabet.charAt(rest % base) + text
  return text.padStart(2, alphabet.charAt(0))
}

function computeCheckCharacter(text: string): string {
  return alphabet.charAt((base - (computeChecksum(`${text}${alphabet.charAt(0)}`) % base)) % base)
}

/** Weights by place, counted from the end: neighbours differ, and none is a multiple of the base. */
const getWeight = (place: number) => (place % (base - 1)) + 1

/** 0 if the last character is the right check character; NaN if there is one that is not ours. */
function computeChecksum(all: string): number {
  let sum = 0
  for (let place = 0; place < all.length; place += 1) {
    const value = alphabet.indexOf(all.charAt(all.length - 1 - place))
    if (value === -1) return Number.NaN
    sum += getWeight(place) * value
  }
  return sum % base
}
