import type { Term } from '../../server/calendar-api.ts'

const shownMax = 5

/** Terms with names similar to the search; if there are none, those with the most events. */
export function findNearestTerms(terms: Term[], search: string): Term[] {
  const wanted = toTrigrams(search)
  const rated = terms.map(term => ({ term, likeness: computeSimilarity(wanted, toTrigrams(term.name)) }))
  const near = rated.filter(one => one.likeness >= 0.25).sort((one, other) => other.likeness - one.likeness)
  const chosen =
    near.length > 0 ? near.map(({ term }) => term) : [...terms].sort((one, other) => other.count - one.count)
  return chosen.slice(0, shownMax)
}

/** Trigrams tolerate typos, as a typo changes only few of them. */
function toTrigrams(text: string): Set<string> {
  const plain = text.slice(0, 200).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const pieces = new Set<string>()
  for (const word of plain.split(/[^\p{L}\p{N}]+/u)) {
    const padded = ` ${word} `
    if (word !== '') for (let at = 0; at + 3 <= padded.length; at += 1) pieces.add(padded.slice(at, at + 3))
  }
  return pieces
}

function computeSimilarity(one: Set<string>, other: Set<string>): number {
  let both = 0
  for (const piece of one) if (other.has(piece)) both += 1
  return both === 0 ? 0 : both / Math.min(one.size, other.size)
}
