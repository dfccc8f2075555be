import { randomInt } from 'node:crypto'

/**
 * Characters that do not look or sound alike in handwriting (no 0 O Q, 1 I L, 2 Z, 5 S, 8 B, V U). There are 23: with a
 * prime base the check character detects every single wrong character and every swap of two neighbours.
 */
const alphabet = 'ACDEFGHJKMNPRTUWXY34679'
const base = alphabet.length
const randomLength = 7
/** The length without the campaign id. */
const tailLength = randomLength + 1

/**
 * The reference that a donor writes on the transfer, such as `AC-7KXM-3PFT`: the campaign id, seven random characters,
 * and a check character. A database constraint makes it unique within the campaign; the campaign id makes it unique
 * overall.
 */
export function newReference(campaignId: number): string {
  const chance = Array.from({ length: randomLength }, () => alphabet[randomInt(base)]).join('')
  return chance === campaignMark ? newReference(campaignId) : appendCheck(campaignId, chance)
}

/**
 * Replaces the seven random characters in the reference of a campaign. Recognisable for a treasurer, but not a word
 * that people write, such as "CAMPAGNE". No donation has it.
 */
const campaignMark = 'CAMP333'

/** The reference for a transfer to a campaign without a donation, for example from a poster, such as `AC-CAMP-3337`. */
export function toCampaignReference(campaignId: number): string {
  return appendCheck(campaignId, campaignMark)
}

/** Whether a normalised reference names a campaign instead of a donation. */
export function isCampaignReference(reference: string): boolean {
  return reference.replaceAll('-', '').slice(-tailLength, -1) === campaignMark
}

/**
 * The campaign that a text names by its reference, in any spelling that `findReferences` accepts. Undefined if it names
 * none or several.
 */
export function findCampaignReference(text: string, largestCampaign: number): number | undefined {
  const found = findReferences(text, largestCampaign).filter(isCampaignReference)
  // If a word is glued to the reference, its last letters can look like part of the campaign id: "SpendeAC-CAMP-3337".
  const separate = found.length > 1 ? found.filter(reference => beginsWord(text, reference)) : found
  // If all characters are separated, the end of a campaign id can look like another campaign id.
  const [only, ...others] = separate.filter(one => !separate.some(other => other !== one && other.endsWith(one)))
  return only === undefined || others.length > 0 ? undefined : parseCampaignId(only)
}

function beginsWord(text: string, reference: string): boolean {
  const spread = [...reference.replaceAll('-', '')].join('[^\\p{L}\\p{N}]*')
  return new RegExp(`(?<![\\p{L}\\p{N}])${spread}`, 'u').test(text.toUpperCase())
}

/** The normalised reference if its check character is right; accepts lower case, spaces and missing hyphens. */
export function parseReference(text: string): string | undefined {
  const all = text.toUpperCase().replace(/[\s-]+/g, '')
  return all.length >= lengthMin && computeChecksum(all) === 0 ? formatReference(all) : undefined
}

/**
 * Part of a reference as people type it, without spaces and hyphens; undefined for a text that is none. Many words
 * consist of the same letters, so it needs four of them, or three with a digit or a hyphen.
 */
export function parsePartialReference(text: string): string | undefined {
  const all = text.toUpperCase().replace(/[\s-]+/g, '')
  const lengthLeast = /[\d-]/.test(text) ? 3 : 4
  return all.length >= lengthLeast && [...all].every(one => alphabet.includes(one)) ? all : undefined
}

/** The campaign id at the start of a normalised reference. */
export function parseCampaignId(reference: string): number {
  let id = 0
  for (const character of reference.slice(0, reference.indexOf('-'))) id = id * base + alphabet.indexOf(character)
  // An id that is too long belongs to no campaign.
  return Number.isSafeInteger(id) ? id : 0
}

/**
 * All references in a text, normalised: accepts lower case, spaces, hyphens or line breaks inside, and references glued
 * to other words. Some match by chance, so look them up. `largestCampaign` is the largest campaign id.
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

/** Limit per text; a text with more is an attempt to waste CPU time. */
const nearMax = 200
/** The most words that one reference can be split into: each of its groups can be split once. */
const wordsMax = 6

/**
 * References that a text may mean if one character is wrong, missing or extra, or two neighbours are swapped. The check
 * character leaves one candidate per position, so there are few, and most of them belong to no donation.
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

/** Rejects alternative encodings of a campaign id, which our references never have. */
function isOfCampaign(all: string, largestCampaign: number): boolean {
  const id = parseCampaignId(formatReference(all))
  return id >= 1 && id <= largestCampaign && encodeCampaignId(id) === all.slice(0, -tailLength)
}

/** Removes spaces and punctuation, and splits the rest into runs of reference characters. */
function splitIntoRuns(text: string): string[] {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .split(/[^ACDEFGHJKMNPRTUWXY34679]+/)
    .filter(run => run.length >= lengthMin)
}

/**
 * Words and sequences of words with the length of a reference. Most texts consist of words without digits: these are
 * included only if they are split like a reference, or are a single word of reference characters.
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
      // One character in six is a digit, so some references have none; hardly any word avoids the excluded letters.
      const isOneWord = count === 1 && token.replace(/[ACDEFGHJKMNPRTUWXY34679]/g, '').length <= 1
      if (isCutLikeOne || isOneWord || (/\d/.test(token) && /[A-Z]/.test(token))) tokens.add(token)
    }
  }
  return tokens
}

/** All strings of this length with a right check character that are one edit away. */
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

/** Inserts the one character that makes the check character right; none if a character is outside the alphabet. */
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

/** Weights by position from the end: neighbours differ, and none is a multiple of the base. */
const getWeight = (place: number) => (place % (base - 1)) + 1

/** 0 if the check character is right; NaN if a character is outside the alphabet. */
function computeChecksum(all: string): number {
  let sum = 0
  for (let place = 0; place < all.length; place += 1) {
    const value = alphabet.indexOf(all.charAt(all.length - 1 - place))
    if (value === -1) return Number.NaN
    sum += getWeight(place) * value
  }
  return sum % base
}
