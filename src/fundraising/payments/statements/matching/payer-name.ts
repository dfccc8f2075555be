/** Titles and other words that are not part of a name. */
const titles = new Set(
  'dr prof dipl ing med phil jur rer nat habil mag herr herrn frau familie fam eheleute mr mrs ms und and'.split(' ')
)
/** No name is longer; further words would only cause false matches. */
const wordsMax = 8
/** A shorter name is an abbreviation and matches too many. */
const lettersMin = 4

/**
 * The words of a name for comparison: without case, accents, punctuation, titles and initials, and with umlauts as one
 * letter, however they are spelled. `GROESSE, JOERG` and `Dr. Jörg Größe` give the same words.
 */
export function splitName(name: string): string[] {
  const plain = name
    .slice(0, 500)
    .replaceAll(/ß|ẞ/g, 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1 && !titles.has(word))
    .map(word => word.replaceAll(/([aou])e/g, '$1'))
    .slice(0, wordsMax)
}

/** The payer as the bank names them. */
export interface PayerName {
  words: string[]
  /** If false, the words come from the payment text, which begins with the name at banks without a name field. */
  isNamed: boolean
}

export function toPayerName(name: string | null, text: string): PayerName {
  return { words: splitName(name ?? text), isNamed: name !== null }
}

/** Whether donor and payer have the same words. One side can have more: a middle name, or a joint account holder. */
export function isSamePerson({ words, isNamed }: PayerName, donor: string[]): boolean {
  if (donor.join('').length < lettersMin) return false
  if (!isNamed) return donor.length > 1 && isWithin(donor, words.slice(0, donor.length))
  const [fewer, more] = words.length < donor.length ? [words, donor] : [donor, words]
  return isWithin(fewer, more) && (fewer.length > 1 || more.length === fewer.length)
}

const isWithin = (fewer: string[], more: string[]) => fewer.length > 0 && fewer.every(word => more.includes(word))
